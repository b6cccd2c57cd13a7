import * as v from 'valibot';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const YEAR_DAYS = 365;
/** Ten years, which is how long tax law wants an order kept. */
const ORDER_DAYS = 10 * YEAR_DAYS;

const whole = (least: number, most: number, unit = '') =>
  v.pipe(
    v.number(),
    v.check(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      `must be a whole number from ${String(least)} to ${String(most)}${unit}`,
    ),
  );
const count = (usual: number) => v.optional(whole(1, 1_000_000), usual);
/** A time below a second is one that was meant in seconds or minutes. */
const ms = (usual: number, least = SECOND) => v.optional(whole(least, YEAR_DAYS * DAY, ' (milliseconds)'), usual);
const days = (usual: number) => v.optional(whole(1, 100 * YEAR_DAYS, ' (days)'), usual);

/** Every number that the key system lives by. What a settings file leaves out has the value written here. */
export const limitsSchema = v.strictObject({
  /** How long a visitor has to come back from an advertiser. */
  ticketMs: ms(15 * MINUTE),
  /** A run ends when nothing happens on it for this long, */
  runIdleMs: ms(HOUR),
  /** and in any case after this long. */
  runMaxMs: ms(6 * HOUR),
  /** How long a passed captcha can open a run. */
  captchaPassMs: ms(5 * MINUTE),
  /** A device may begin its next run when its key has no more than this left. */
  renewalMs: ms(2 * HOUR, 0),
  /** A claimed ticket whose check never ended is given back after this long. */
  checkingMs: ms(MINUTE),

  /** The circuit of an advertiser that fails this many times in a row opens, */
  advertiserFailures: count(5),
  /** for this long; then one question finds out whether it is back. */
  advertiserRestMs: ms(30 * SECOND),

  /** Tries of one visitor at a run: open at once on a step, and within an hour. */
  liveAttemptsPerStep: count(3),
  attemptsPerHour: count(10),
  /** Tries of all who know the device, at a run; the browser that began it has its own in any case. */
  attemptsOfAllPerHour: count(100),
  /** Runs that one visitor may open for one device. */
  startsPerHour: count(6),
  /** Runs opened from one network: beyond the first number the captcha costs more, beyond the second none is opened. */
  networkStartsPerHour: v.optional(v.strictObject({ soft: count(200), hard: count(2000) }), {}),
  /** What a captcha costs more for a network beyond its soft limit. */
  captchaCostFactor: count(4),
  /** What one address may ask for one device within a minute: where it stands, */
  statesPerMinute: count(30),
  /** for its key, which apps do every few seconds, */
  keysPerMinute: count(120),
  /** whether a key is good, */
  keyChecksPerMinute: count(60),
  /** for a captcha, and whether it is solved; */
  challengesPerMinute: count(20),
  captchasPerMinute: count(10),
  /** and, within an hour, to pay. */
  paymentsPerHour: count(10),
  /** What one address may ask each call for all devices together, in the same time: a carrier puts a crowd behind one. */
  perAddress: v.optional(
    v.strictObject({ reads: count(6000), captchas: count(600), payments: count(600), readiness: count(600) }),
    {},
  ),
  /** Returns with one ticket. */
  returnsPerMinute: count(20),
  /** Returns from one address with tickets that nobody was given. */
  unknownReturnsPerMinute: count(200),
  /** Requests to reset devices: for one e-mail address, and from one network. */
  resetsPerDay: count(3),
  networkResetsPerHour: count(60),

  strikes: v.optional(
    v.strictObject({
      /** How long a strike counts. */
      windowMs: ms(DAY),
      /** From this many on a device waits a short while, */
      short: v.optional(v.strictObject({ from: count(3), waitMs: ms(15 * MINUTE) }), {}),
      /** and from this many on a long one. */
      long: v.optional(v.strictObject({ from: count(5), waitMs: ms(DAY) }), {}),
    }),
    {},
  ),

  /** For how many days what is over is kept. */
  retentionDays: v.optional(
    v.strictObject({
      attempts: days(30),
      runs: days(90),
      /** Counted from a key's end. */
      keys: days(30),
      strikes: days(30),
      captchaPasses: days(1),
      /** The HMAC of a network, wherever one is kept. */
      networks: days(7),
      resetRequests: days(7),
      webhookEvents: days(30),
      orders: days(ORDER_DAYS),
      audit: days(YEAR_DAYS),
    }),
    {},
  ),
});

export type Limits = v.InferOutput<typeof limitsSchema>;

export const DEFAULT_LIMITS: Limits = v.parse(limitsSchema, {});

/** When a run that something has just happened on comes to its end. */
export function runExpiry(
  { runIdleMs, runMaxMs }: Pick<Limits, 'runIdleMs' | 'runMaxMs'>,
  createdAt: number,
  at: number,
): number {
  return Math.min(at + runIdleMs, createdAt + runMaxMs);
}
