import type { Release, Unit } from '@app/contracts/release';

/** A canary: a release that a share of the visitors gets. */
export interface Canary {
  release: Release;
  /** In hundredths of a percent. */
  share: number;
}

/** What the visitors of one unit can get. */
export interface ServedUnit {
  stable: Release;
  canary?: Canary | undefined;
  /** The version to load when another one fails: the newest that was stable before and was not rolled back. */
  lastGood?: Release | undefined;
}

/** What is served, as of one state of the registry. Nobody changes a snapshot; a newer one takes its place. */
export interface Snapshot {
  revision: number;
  /** The shell comes first. Units without a stable release are not in it. */
  units: ReadonlyMap<Unit, ServedUnit>;
  /** The units that have a stable release of which this server can serve nothing. */
  unserved: readonly Unit[];
}

/** Every release that visitors of a unit can get. */
export function listServed({ stable, canary, lastGood }: ServedUnit): Release[] {
  return [stable, ...(canary ? [canary.release] : []), ...(lastGood ? [lastGood] : [])];
}

/** A release by its name. */
export type Named = Pick<Release, 'unit' | 'version'>;

/**
 * Leaves out the releases that this server lacks. A unit whose stable release is among them stays as it was before, or
 * goes back to its last good release, or to any other; without one it has no pages.
 * @param lacking some of the releases in `wanted`
 * @param before what was served until now
 * @param others a release that is here, for units of which none of `wanted` is
 */
export function leaveOut(
  lacking: ReadonlySet<Named>,
  wanted: ReadonlyMap<Unit, ServedUnit>,
  before: ReadonlyMap<Unit, ServedUnit>,
  others: ReadonlyMap<Unit, Release>,
): ReadonlyMap<Unit, ServedUnit> {
  const units = new Map<Unit, ServedUnit>();
  for (const [unit, { stable, canary, lastGood }] of wanted) {
    const good = lastGood && !lacking.has(lastGood) ? lastGood : undefined;
    const held = lacking.has(stable) ? (before.get(unit)?.stable ?? good ?? others.get(unit)) : stable;
    if (!held) continue;
    units.set(unit, {
      stable: held,
      ...(held === stable && canary && !lacking.has(canary.release) && { canary }),
      ...(good && good !== held && { lastGood: good }),
    });
  }
  return units;
}
