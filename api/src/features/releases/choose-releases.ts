import { isContractMet } from '@app/contracts/contract-fit';
import type { Fault } from '@app/contracts/faults';
import { SHELL, type Release, type Resolution, type Source, type Unit } from '@app/contracts/release';
import type { Snapshot } from './snapshot.ts';

/** The release of one unit that a visitor gets, and why. */
export interface Chosen {
  release: Release;
  source: Source;
  /** What the page loads when this release fails there. */
  lastGood?: Release | undefined;
}

/** One release of every unit. */
export interface Choice {
  revision: number;
  units: ReadonlyMap<Unit, Chosen>;
  /** Only for browsers with QA access or pins. */
  qa?: ChosenByQa | undefined;
}

/** What QA has chosen for a browser. */
export interface ChosenByQa {
  /** The faults that are simulated, by unit. */
  faults: Readonly<Record<Unit, Fault>>;
  /** What the page is told. */
  told: NonNullable<Resolution['qa']>;
}

/** What decides which releases a visitor gets, besides the channels. */
export interface Wishes {
  /** Whether the visitor is among the share that gets a unit's canary. */
  isInCanary?: (unit: Unit, version: string, share: number) => boolean;
  /** What QA has pinned in this browser. */
  pins?: ReadonlyMap<Unit, Release>;
  /** The version of the shell that has just failed in this browser. */
  failedShell?: string | undefined;
}

/** Chooses in this order: pin, canary, stable; for a shell that failed, the one that was good before. */
export function chooseReleases({ revision, units }: Snapshot, wishes: Wishes = {}): Choice {
  const chosen = new Map<Unit, Chosen>();
  for (const [unit, { stable, canary, lastGood }] of units) {
    const pinned = wishes.pins?.get(unit);
    const isCanary = canary && wishes.isInCanary?.(unit, canary.release.version, canary.share);
    const [release, source]: [Release, Source] = pinned
      ? [pinned, 'pin']
      : isCanary
        ? [canary.release, 'canary']
        : [stable, 'stable'];
    // What is stable has been tried by everybody, so it is the way back from a canary and from a pin.
    const wayBack = source === 'stable' ? lastGood : stable;
    const fallback = wayBack && wayBack.version !== release.version ? wayBack : undefined;

    if (unit === SHELL && fallback && wishes.failedShell === release.version)
      chosen.set(unit, { release: fallback, source: 'fallback' });
    else chosen.set(unit, { release, source, lastGood: fallback });
  }
  for (const [unit, pinned] of wishes.pins ?? [])
    if (!chosen.has(unit)) chosen.set(unit, { release: pinned, source: 'pin' });

  return { revision, units: withoutMisfits(chosen) };
}

/** A way back that needs a newer shell than the chosen one is none. */
function withoutMisfits(chosen: Map<Unit, Chosen>): Map<Unit, Chosen> {
  const shell = chosen.get(SHELL)?.release;
  if (!shell) return chosen;

  for (const [unit, { lastGood, ...rest }] of chosen)
    if (unit !== SHELL && lastGood && !isContractMet(shell.contract.version, lastGood.contract.version))
      chosen.set(unit, rest);
  return chosen;
}
