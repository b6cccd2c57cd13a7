import type { DeviceRow, StrikeRow } from '#api/foundation/db/schema.ts';
import { blockOf } from '#api/product/devices/device.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { createAttemptsRepository, createStrikesRepository } from '#api/product/key-system/attempts.repository.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';
import { cooldownOf } from '#api/product/key-system/eligibility.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import type { OpsContext } from '#api/ops/command.ts';
import { formatTime, listAnswer, pick } from '#api/ops/format.ts';

/** How much of an HMAC is shown: enough to distinguish two, too little to look one up. */
export const PREFIX_LENGTH = 6;

export type DeviceStatus = Awaited<ReturnType<typeof readStatus>>;

/** Reads the status of a device in one app: what its visitor sees, and why. */
export async function readStatus({ db, limits, now }: OpsContext, device: DeviceRow) {
  const at = now();
  const run = (await createRunsRepository(db).listOpen(device.id)).find(({ expiresAt }) => expiresAt > at);
  const attempts = run ? await createAttemptsRepository(db).listOfRun(run.id) : [];
  const key = await createKeysRepository(db).findLatest(device.appId, device.hwidHmac);
  const strikes = await createStrikesRepository(db).listSince(device.id, at - limits.strikes.windowMs);

  return {
    app: device.appId,
    device: device.id,
    hwid: shorten(device.hwidHmac),
    firstSeen: device.firstSeen,
    lastSeen: device.lastSeen,
    block: blockOf(device, at) ?? null,
    run: run
      ? { ...pick(run, 'id', 'step'), of: run.stepsRequired, ...pick(run, 'os', 'createdAt', 'expiresAt') }
      : null,
    attempts: attempts.map((one) => ({
      ...pick(one, 'id', 'step'),
      advertiser: one.advertiserId,
      ...pick(one, 'state', 'reason', 'issuedAt', 'expiresAt'),
    })),
    key: key ? { jti: key.jti, active: key.expiresAt > at, issuedAt: key.issuedAt, expiresAt: key.expiresAt } : null,
    strikes: strikes.map(({ code, weight, visitorHmac, ipHmac, at: struckAt }) => ({
      code,
      weight,
      browser: shorten(visitorHmac),
      network: shorten(ipHmac),
      at: struckAt,
    })),
    cooldowns: cooldownsOf(device, strikes, limits.strikes, at),
  };
}

/** The cooldowns: one for each browser with strikes, and one for each network with strikes without a cookie. */
function cooldownsOf(
  device: DeviceRow,
  strikes: readonly StrikeRow[],
  ladder: OpsContext['limits']['strikes'],
  at: number,
) {
  const earners = new Map(
    strikes.map((strike) => [
      `${strike.visitorHmac ?? ''} ${strike.visitorHmac === null ? (strike.ipHmac ?? '') : ''}`,
      strike,
    ]),
  );

  return [...earners.values()].flatMap(({ visitorHmac, ipHmac }) => {
    const cooldown = cooldownOf({ ...device, blockReason: null }, strikes, asIdentity(visitorHmac, ipHmac), ladder, at);
    const network = visitorHmac === null ? shorten(ipHmac) : null;
    return cooldown ? [{ browser: shorten(visitorHmac), network, until: cooldown.until }] : [];
  });
}

function asIdentity(visitorHmac: string | null, ipHmac: string | null): ClientIdentity {
  return visitorHmac === null
    ? { browser: undefined, networks: [ipHmac ?? '', ''] }
    : { browser: { hmac: visitorHmac, since: 0 }, networks: ['', ''] };
}

function shorten(hmac: string): string;
function shorten(hmac: string | null): string | null;
function shorten(hmac: string | null): string | null {
  return hmac && hmac.slice(0, PREFIX_LENGTH);
}

/** Writes the status as text for the terminal. */
export function describeStatus(status: DeviceStatus): string {
  const { block, run, key } = status;
  const until = (time: number | null) => (time === null ? 'for good' : `until ${formatTime(time)}`);
  const facts = [
    ['device', `${status.device} (hwid ${status.hwid}…)`],
    ['seen', `${formatTime(status.firstSeen)} to ${formatTime(status.lastSeen)}`],
    ['block', block ? `${until(block.until)}: ${block.reason}` : 'none'],
    ['run', run ? `step ${run.step} of ${run.of} on ${run.os}, ${until(run.expiresAt)} (${run.id})` : 'none'],
    ['key', key ? `${key.active ? 'active' : 'expired'}, ${until(key.expiresAt)} (${key.jti})` : 'none'],
    ...status.cooldowns.map((cooldown) => [
      'cooldown',
      `${until(cooldown.until)} for ${cooldown.browser === null ? `network ${cooldown.network ?? ''}…` : `browser ${cooldown.browser}…`}`,
    ]),
  ];

  return [
    `App ${status.app}`,
    indent(facts.map(([name = '', text = '']) => `${name.padEnd(9)} ${text}`).join('\n')),
    ...section('Attempts', status.attempts, {
      step: ({ step }) => step,
      advertiser: ({ advertiser }) => advertiser,
      state: ({ state }) => state,
      reason: ({ reason }) => reason,
      issued: ({ issuedAt }) => formatTime(issuedAt),
      until: ({ expiresAt }) => formatTime(expiresAt),
    }),
    ...section('Strikes', status.strikes, {
      code: ({ code }) => code,
      weight: ({ weight }) => weight,
      browser: ({ browser }) => browser,
      network: ({ network }) => network,
      at: ({ at }) => formatTime(at),
    }),
  ].join('\n');
}

function section<Item>(
  title: string,
  items: readonly Item[],
  columns: Parameters<typeof listAnswer<Item>>[1],
): string[] {
  return items.length === 0 ? [] : [`  ${title}`, indent(indent(listAnswer(items, columns).text))];
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
