import type { ErrorCode } from '@app/contracts/errors';
import type { RunState } from '@app/contracts/key-system-schemas';
import type { DeviceRow, StrikeRow } from '#api/db/schema.ts';
import { blockOf } from '#api/features/devices/block.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import type { Limits } from './limits.ts';

/** How much a refusal weighs. What is not here never counts against anybody. */
const WEIGHTS = { KS_FAST: 1, KS_PROOF: 1, KS_REUSE: 2 } as const satisfies Partial<Record<ErrorCode, number>>;

export type StrikeCode = keyof typeof WEIGHTS;

export function weightOf(code: StrikeCode): number {
  return WEIGHTS[code];
}

export type Cooldown = NonNullable<RunState['cooldown']>;

/** What is known of whoever did something: which browser, from which network. */
interface Trace {
  visitorHmac: string | null;
  ipHmac: string | null;
  /** Epoch milliseconds. */
  at: number;
}

/** A strike, as far as it matters to a cooldown. */
export type Struck = Trace & Pick<StrikeRow, 'weight'>;

/** Whether somebody may be the one who left a trace: in the same browser, or from the same network. */
export function isLeftBy({ visitorHmac, ipHmac }: Omit<Trace, 'at'>, { browser, networks }: ClientIdentity): boolean {
  return visitorHmac === browser?.hmac || (ipHmac !== null && networks.includes(ipHmac));
}

/**
 * What of a device's past a client answers for. A browser answers for itself alone, so that nobody can be burnt
 * by strangers who know their device id. Without a cookie it answers for its whole network; and a cookie counts only
 * if it is older than everything that happened there, since else a fresh one would wash all of it off.
 */
export function ownTraces<Row extends Trace>(rows: readonly Row[], { browser, networks }: ClientIdentity): Row[] {
  const ofNetwork = rows.filter(({ ipHmac }) => ipHmac !== null && networks.includes(ipHmac));
  const isKnownLonger = browser !== undefined && ofNetwork.every(({ at }) => browser.since <= at);

  return rows.filter((row) => row.visitorHmac === browser?.hmac || (!isKnownLonger && ofNetwork.includes(row)));
}

/**
 * How long a client has to wait before going on with a device; null when not at all.
 * @param strikes the device's strikes within the window
 * @param at epoch milliseconds
 */
export function cooldownOf(
  device: Pick<DeviceRow, 'blockReason' | 'blockedUntil'> | undefined,
  strikes: readonly Struck[],
  client: ClientIdentity,
  { short, long }: Limits['strikes'],
  at: number,
): Cooldown | null {
  const block = device && blockOf(device, at);
  if (block) return { until: block.until, reason: 'KS_BLOCKED' };

  const own = ownTraces(strikes, client);
  const weight = own.reduce((sum, strike) => sum + strike.weight, 0);
  const last = own.reduce((latest, strike) => Math.max(latest, strike.at), 0);
  const waitMs = weight >= long.from ? long.waitMs : weight >= short.from ? short.waitMs : 0;

  return last + waitMs > at ? { until: last + waitMs, reason: 'KS_COOLDOWN' } : null;
}
