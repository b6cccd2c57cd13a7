import type { RunRow } from '#api/foundation/db/schema.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { isStartedBy } from './run-lifecycle.ts';

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
  if (isStartedBy(run, by)) return zoneHmac === '' ? 'same' : 'moves';

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
    runs.find((run) => isStartedBy(run, claimant.by)) ??
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
