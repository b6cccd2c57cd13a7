import type { ErrorCode } from '@app/contracts/errors';
import type { RunState } from '@app/contracts/key-system-schemas';
import type { DeviceRow, StrikeRow } from '#api/foundation/db/schema.ts';
import { blockOf } from '#api/product/devices/device.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { Limits } from '#api/product/limits/limits.ts';

/** The weight of each strike. An error code that is not listed is never a strike. */
export const WEIGHTS = { KS_FAST: 1, KS_PROOF: 1, KS_REUSE: 2 } as const satisfies Partial<Record<ErrorCode, number>>;

export type StrikeCode = keyof typeof WEIGHTS;

export type Cooldown = NonNullable<RunState['cooldown']>;

/** Who did something: the HMACs of the browser and of the network. */
interface ClientTrace {
  visitorHmac: string | null;
  ipHmac: string | null;
  at: number;
}

export type CountedStrike = ClientTrace & Pick<StrikeRow, 'weight'>;

/** Whether a client may have left a trace: it has the same browser, or the same network. */
export function isTraceOf(
  { visitorHmac, ipHmac }: Omit<ClientTrace, 'at'>,
  { browser, networks }: ClientIdentity,
): boolean {
  return visitorHmac === browser?.hmac || (ipHmac !== null && networks.includes(ipHmac));
}

/**
 * Picks the rows of a device that count against a client. A browser answers for its own rows alone, so a stranger who
 * knows the device id cannot use up its limits. A client without a cookie answers for all rows of its network. A cookie
 * counts only if it is older than all rows of the network: otherwise a client could drop its cookie, take a new one,
 * and be free of its rows.
 */
export function filterTraces<Row extends ClientTrace>(
  rows: readonly Row[],
  { browser, networks }: ClientIdentity,
): Row[] {
  const ofNetwork = rows.filter(({ ipHmac }) => ipHmac !== null && networks.includes(ipHmac));
  const isKnownLonger = browser !== undefined && ofNetwork.every(({ at }) => browser.since <= at);

  return rows.filter((row) => row.visitorHmac === browser?.hmac || (!isKnownLonger && ofNetwork.includes(row)));
}

export function sumWeights(strikes: readonly CountedStrike[]): number {
  return strikes.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Until when a client has to wait, and why; null when it need not. `strikes` are those of the device within the window.
 */
export function cooldownOf(
  device: Pick<DeviceRow, 'blockReason' | 'blockedUntil'> | undefined,
  strikes: readonly CountedStrike[],
  client: ClientIdentity,
  { short, long }: Limits['strikes'],
  at: number,
): Cooldown | null {
  const block = device && blockOf(device, at);
  if (block) return { until: block.until, reason: 'KS_BLOCKED' };

  const own = filterTraces(strikes, client);
  const weight = sumWeights(own);
  const last = own.reduce((latest, strike) => Math.max(latest, strike.at), 0);
  const waitMs = weight >= long.from ? long.waitMs : weight >= short.from ? short.waitMs : 0;

  return last + waitMs > at ? { until: last + waitMs, reason: 'KS_COOLDOWN' } : null;
}
