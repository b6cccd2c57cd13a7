import type { RunRow } from '#api/db/schema.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';

/** Somebody who asks for a device: with which zone, in which browser. */
export interface ZoneClaimant {
  zoneHmac: string;
  by: ClientIdentity;
}

/**
 * How the zone that somebody brings stands to a run's: it is `same`, the run `moves` to it, or it is an `other` one
 * and they have to say whether to go on all the same.
 */
export type ZoneMatch = 'same' | 'moves' | 'other';

/** Whether a run was begun in somebody's browser; only a cookie shows that. */
export function isBegunBy(
  { visitorHmac }: Pick<RunRow, 'visitorHmac'>,
  { browser }: Pick<ClientIdentity, 'browser'>,
): boolean {
  return visitorHmac === browser?.hmac;
}

/**
 * Only the browser that began a run moves it, and an address without a zone moves nothing. A run without a zone serves
 * every zone and stays so: else whoever began it in a stranger's name could take it along at the end.
 */
export function matchZone(run: Pick<RunRow, 'zoneHmac' | 'visitorHmac'>, { zoneHmac, by }: ZoneClaimant): ZoneMatch {
  if (run.zoneHmac === '' || run.zoneHmac === zoneHmac) return 'same';
  if (isBegunBy(run, by)) return zoneHmac === '' ? 'same' : 'moves';

  return 'other';
}

/**
 * The one of a device's open runs that somebody goes on with: the one begun in their browser, else one of their zone, else the newest.
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
 * The one of a device's working keys that matters to somebody: one that their zone reaches, else the first.
 * Who names no zone asks for no other one, so any key of the device will do.
 * @param keys with the zone and the browser of the run that each comes from
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
