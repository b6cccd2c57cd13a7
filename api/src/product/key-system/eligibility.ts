import type { ErrorCode } from '@app/contracts/errors';
import type { RunState } from '@app/contracts/key-system-schemas';
import type { DeviceRow, RunRow, StrikeRow } from '#api/foundation/db/schema.ts';
import { blockOf } from '#api/product/devices/device.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { Limits } from './limits.ts';
import { isBegunBy } from './run-lifecycle.ts';

/** The weight of each strike. An error code that is not listed is never a strike. */
const WEIGHTS = { KS_FAST: 1, KS_PROOF: 1, KS_REUSE: 2 } as const satisfies Partial<Record<ErrorCode, number>>;

export type StrikeCode = keyof typeof WEIGHTS;

/** How much a strike for this error counts. */
export function weightOf(code: StrikeCode): number {
  return WEIGHTS[code];
}

export type Cooldown = NonNullable<RunState['cooldown']>;

/** Who did something: the HMACs of the browser and of the network. */
interface Trace {
  visitorHmac: string | null;
  ipHmac: string | null;
  /** Epoch milliseconds. */
  at: number;
}

/** The part of a strike that a cooldown counts. */
export type Struck = Trace & Pick<StrikeRow, 'weight'>;

/** Whether a client may have left a trace: it has the same browser, or the same network. */
export function isLeftBy({ visitorHmac, ipHmac }: Omit<Trace, 'at'>, { browser, networks }: ClientIdentity): boolean {
  return visitorHmac === browser?.hmac || (ipHmac !== null && networks.includes(ipHmac));
}

/**
 * Picks the rows of a device that count against a client. A browser answers for its own rows alone, so a stranger who
 * knows the device id cannot use up its limits. A client without a cookie answers for all rows of its network. A cookie
 * counts only if it is older than all rows of the network: otherwise a client could drop its cookie, take a new one,
 * and be free of its rows.
 */
export function ownTraces<Row extends Trace>(rows: readonly Row[], { browser, networks }: ClientIdentity): Row[] {
  const ofNetwork = rows.filter(({ ipHmac }) => ipHmac !== null && networks.includes(ipHmac));
  const isKnownLonger = browser !== undefined && ofNetwork.every(({ at }) => browser.since <= at);

  return rows.filter((row) => row.visitorHmac === browser?.hmac || (!isKnownLonger && ofNetwork.includes(row)));
}

/**
 * Decides whether a client has to wait before it goes on with a device.
 * @param strikes the strikes of the device within the window
 * @param at epoch milliseconds
 * @returns until when, and why; null when it need not wait
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

/** Who asks for a device: with which zone, and from which browser. */
export interface ZoneClaimant {
  zoneHmac: string;
  by: ClientIdentity;
}

/**
 * How the zone of a request relates to a run's. `same`: the key reaches it. `moves`: the run would move to it. `other`:
 * it is another one, and the visitor has to say whether to go on all the same.
 */
export type ZoneMatch = 'same' | 'moves' | 'other';

/**
 * Compares the zone of a request with a run's. Only the browser that began a run moves it, and a request without a zone
 * moves nothing. A run without a zone serves every zone and never gets one. Otherwise a stranger could begin such a run
 * in the owner's name, and take it to their own zone at the end.
 */
export function matchZone(run: Pick<RunRow, 'zoneHmac' | 'visitorHmac'>, { zoneHmac, by }: ZoneClaimant): ZoneMatch {
  if (run.zoneHmac === '' || run.zoneHmac === zoneHmac) return 'same';
  if (isBegunBy(run, by)) return zoneHmac === '' ? 'same' : 'moves';

  return 'other';
}

/**
 * Picks the open run that a client goes on with: the run of its browser, else one for its zone, else the newest.
 * @param runs the newest first
 */
export function pickRun<Run extends Pick<RunRow, 'zoneHmac' | 'visitorHmac'>>(
  runs: readonly Run[],
  claimant: ZoneClaimant,
): Run | undefined {
  return (
    runs.find((run) => isBegunBy(run, claimant.by)) ??
    runs.find(({ zoneHmac }) => zoneHmac === claimant.zoneHmac) ??
    runs.find((run) => matchZone(run, claimant) === 'same') ??
    runs[0]
  );
}

/**
 * Picks the key that matters to a client: one that reaches its zone, else one that would move there, else the first. A
 * client without a zone is content with any key of the device.
 * @param keys with the zone and the browser of the run of each
 */
export function pickKey<Key extends { zoneHmac: string | null; visitorHmac: string | null }>(
  keys: readonly Key[],
  claimant: ZoneClaimant,
): (Key & { zone: ZoneMatch }) | undefined {
  const known = keys.map(
    (key) =>
      ({
        ...key,
        zone: claimant.zoneHmac === '' ? 'same' : matchZone({ ...key, zoneHmac: key.zoneHmac ?? '' }, claimant),
      }) as const,
  );
  return known.find(({ zone }) => zone === 'same') ?? known.find(({ zone }) => zone === 'moves') ?? known[0];
}
