import * as v from 'valibot';
import type { Env } from '#api/foundation/settings/env.ts';
import { parseJson, readNamedFile } from '#api/foundation/settings/read-json.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far back resets count against `resetsIn30Days`. */
export const RESET_WINDOW_MS = 30 * DAY;

/** Times that operators cannot set, as an error names them. */
const RESET_WINDOW = 'the 30 days in which resets are counted';
const KEY_LIFE = 'the 24 hours of a key';

const YEAR_DAYS = 365;
/** Ten years: tax law requires that orders are kept for so long. */
const ORDER_DAYS = 10 * YEAR_DAYS;

const wholeNumber = (least: number, most: number, unit = '') =>
  v.pipe(
    v.number(),
    v.check(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      `must be a whole number from ${String(least)} to ${String(most)}${unit}`,
    ),
  );
const count = (usual: number) => v.optional(wholeNumber(1, 1_000_000), usual);
/** Times in milliseconds. A value below one second was probably meant in seconds or minutes. */
const ms = (usual: number, least = SECOND) => v.optional(wholeNumber(least, YEAR_DAYS * DAY, ' (milliseconds)'), usual);
const days = (usual: number) => v.optional(wholeNumber(1, 100 * YEAR_DAYS, ' (days)'), usual);

/** The numbers of the product that operators can set. What LIMITS_FILE leaves out has the default below. */
export const limitsSchema = v.strictObject({
  /** How long a visitor has to come back from an advertiser. */
  ticketMs: ms(15 * MINUTE),
  /** A run ends after this long without activity. */
  runIdleMs: ms(HOUR),
  /** A run ends after this long in any case. */
  runMaxMs: ms(6 * HOUR),
  captchaPassMs: ms(5 * MINUTE),
  /** A device may begin its next run when its key is valid for no longer than this. */
  renewalMs: ms(2 * HOUR, 0),
  /** A claimed ticket whose check has not ended becomes usable again after this long. */
  checkingMs: ms(MINUTE),

  /** After this many failures in a row the circuit of an advertiser opens. */
  advertiserFailures: count(5),
  /** A circuit stays open for this long; then one call finds out whether the advertiser is back. */
  advertiserRestMs: ms(30 * SECOND),

  /** How many tries one visitor has at a run: open at the same time at one step, and begun in an hour. */
  liveAttemptsPerStep: count(3),
  attemptsPerHour: count(10),
  /**
   * How many tries all clients together have at a run in an hour. The browser and the network that began the run are not bound by
   * this.
   */
  attemptsOfAllPerHour: count(100),
  /** Runs that one visitor may open for one device in an hour. */
  startsPerHour: count(6),
  /** Runs opened from one network in an hour: from `soft` on the captcha costs more, at `hard` none is opened. */
  networkStartsPerHour: v.optional(v.strictObject({ soft: count(200), hard: count(2000) }), {}),
  /** How many times the usual price a captcha costs in a network that has reached its soft limit. */
  captchaCostFactor: count(4),
  /** Requests of one address in a minute for the state of one device. */
  statesPerMinute: count(30),
  /** Requests of one address in a minute for the key of one device; apps ask every few seconds. */
  keysPerMinute: count(120),
  /** Requests that wait on this server for a change of their device. Further ones are answered at once. */
  heldRequests: count(2000),
  /** Checks of keys of one device, from one address in a minute. */
  keyChecksPerMinute: count(60),
  /**
   * Signed verdicts of one address in ten seconds, for all devices together. An app asks for one when it starts, so this is a
   * school whose apps all start at once. Keep it well below SIGNER_MAX_PER_SECOND: one address must not use up what all share.
   */
  verdictsPerTenSeconds: count(50),
  /** Captcha challenges and solutions for one device, from one address in a minute. */
  challengesPerMinute: count(20),
  captchasPerMinute: count(10),
  /** Payments that one address begins for one device in an hour. */
  paymentsPerHour: count(10),
  /**
   * Requests of one address to each call for all devices together, in the same time. A carrier has many people behind
   * one address.
   */
  perAddress: v.optional(
    v.strictObject({
      reads: count(6000),
      captchas: count(600),
      /** At the same time, of one network. */
      heldRequests: count(100),
      /** In an hour: a network that began hundreds at once would leave the provider no time for other buyers. */
      payments: count(60),
      readiness: count(600),
      /** Mails of one kind. */
      mails: count(60),
    }),
    {},
  ),
  /** Returns with one ticket, in a minute. */
  returnsPerMinute: count(20),
  /** Returns from one address with unknown tickets, in a minute. */
  unknownReturnsPerMinute: count(200),
  /** Reports of failed loads from one network in a minute. */
  loadReportsPerMinute: count(30),
  /** Requests to reset devices, and as many to add one, from one network for one email address in a day. */
  resetsPerDay: count(3),
  /** How often the devices of one email address can be reset: after a pause, and so many times in 30 days. */
  resetPauseMs: ms(7 * DAY),
  resetsIn30Days: count(3),
  devicesPerLicence: count(2),

  strikes: v.optional(
    v.strictObject({
      /** How long a strike counts. */
      windowMs: ms(DAY),
      /** Strikes with a total weight of `from` or more mean a short wait. */
      short: v.optional(v.strictObject({ from: count(3), waitMs: ms(15 * MINUTE) }), {}),
      /** Strikes with a total weight of `from` or more mean a long wait. */
      long: v.optional(v.strictObject({ from: count(5), waitMs: ms(DAY) }), {}),
    }),
    {},
  ),

  retentionDays: v.optional(
    v.strictObject({
      attempts: days(30),
      /** Also devices that nothing else speaks of, counted from when one was seen last. */
      runs: days(90),
      /** Counted from a key's end. */
      keys: days(30),
      strikes: days(30),
      captchaPasses: days(1),
      /** The HMAC of a network, in every table whose rows stay for longer. */
      networks: days(7),
      /** Resets are counted over 30 days. */
      resetRequests: days(31),
      /** Counted from the moment when a mail was queued. */
      mails: days(30),
      webhookEvents: days(30),
      /** The log of what webhooks were told. */
      webhookDeliveries: days(30),
      /** Which networks got a version, and in which of them it failed. */
      loadReports: days(30),
      unpaidOrders: days(30),
      /** Paid orders and redeemed codes, with the plans that they have paid for once these have ended. */
      orders: days(ORDER_DAYS),
      audit: days(YEAR_DAYS),
    }),
    {},
  ),
});

export type Limits = v.InferOutput<typeof limitsSchema>;

export const DEFAULT_LIMITS: Limits = v.parse(limitsSchema, {});

/** @throws EnvError that names the setting, when its file is unusable */
export function loadLimits({ LIMITS_FILE }: Pick<Env, 'LIMITS_FILE'>): Limits {
  return LIMITS_FILE === undefined ? DEFAULT_LIMITS : readNamedFile('LIMITS_FILE', LIMITS_FILE, parseLimits);
}

/** @throws Error that names every wrong member, or every pair that does not fit together */
export function parseLimits(text: string): Limits {
  const limits = parseJson(limitsSchema, text);
  const problems = validateLimits(limits);
  if (problems.length > 0) throw new Error(problems.join('; '));

  return limits;
}

/**
 * Pairs of limits of which the first must not be above the second. Rows that a limit still counts must not be deleted,
 * so `retentionDays` stands for the same time in milliseconds.
 */
const ORDERED_LIMITS: readonly (readonly [string, string])[] = [
  ['checkingMs', 'ticketMs'],
  ['ticketMs', 'runIdleMs'],
  ['runIdleMs', 'runMaxMs'],
  ['renewalMs', KEY_LIFE],
  ['liveAttemptsPerStep', 'attemptsPerHour'],
  ['attemptsPerHour', 'attemptsOfAllPerHour'],
  ['networkStartsPerHour.soft', 'networkStartsPerHour.hard'],
  ['strikes.short.from', 'strikes.long.from'],
  ['strikes.short.waitMs', 'strikes.long.waitMs'],
  ['resetPauseMs', RESET_WINDOW],
  ['runMaxMs', 'retentionDays.attempts'],
  ['runMaxMs', 'retentionDays.runs'],
  ['captchaPassMs', 'retentionDays.captchaPasses'],
  [RESET_WINDOW, 'retentionDays.resetRequests'],
  ['strikes.windowMs', 'retentionDays.strikes'],
];

/** The value of a limit by its path, or of a time that cannot be set. */
function valueOf(limits: Limits, path: string): number {
  if (path === KEY_LIFE) return DAY;
  if (path === RESET_WINDOW) return RESET_WINDOW_MS;

  const value = path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], limits);
  return Number(value) * (path.startsWith('retentionDays.') ? DAY : 1);
}

/** A sentence for each pair whose first limit is above the second. */
function validateLimits(limits: Limits): string[] {
  return ORDERED_LIMITS.filter(([less, more]) => valueOf(limits, less) > valueOf(limits, more)).map(
    ([less, more]) => `${less} must not be above ${more}`,
  );
}
