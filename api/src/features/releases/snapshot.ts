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
}

/** Every release that visitors of a unit can get. */
export function listServed({ stable, canary, lastGood }: ServedUnit): Release[] {
  return [stable, ...(canary ? [canary.release] : []), ...(lastGood ? [lastGood] : [])];
}
