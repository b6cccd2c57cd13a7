import { findHostApiProblem } from '@app/contracts/host-api-fit';
import type { Fault } from '@app/contracts/faults';
import { SHELL, type Release, type Unit } from '@app/contracts/release';
import type { Resolution, Source } from '@app/contracts/resolution';
import type { Snapshot } from '#api/delivery/registry/snapshot.ts';

/** The release of one unit that a visitor gets, and why. */
export interface Chosen {
  release: Release;
  source: Source;
  /** What the page loads when this release fails there. */
  lastGood?: Release | undefined;
}

/** One release of every unit. Nobody changes a choice, and visitors with the same wishes share one. */
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
  isInCanary?: (unit: Unit) => boolean;
  /** What QA has pinned in this browser. */
  pins?: ReadonlyMap<Unit, Release>;
  /** The version of the shell that has just failed in this browser. */
  failedShell?: string | undefined;
  /** Whether files of a release are gone or broken. */
  isDamaged?: (release: Release) => boolean;
}

/**
 * Chooses in this order: pin, canary, stable. Instead of a release that has failed, the visitor gets the one that was
 * good before, if there is one.
 */
export function chooseReleases({ revision, units }: Snapshot, wishes: Wishes = {}): Choice {
  const chosen = new Map<Unit, Chosen>();
  for (const [unit, { stable, canary, lastGood }] of units) {
    const pinned = wishes.pins?.get(unit);
    const [release, source]: [Release, Source] = pinned
      ? [pinned, 'pin']
      : canary && wishes.isInCanary?.(unit)
        ? [canary.release, 'canary']
        : [stable, 'stable'];
    // What is stable has been tried by everybody, so it is the first way back from a canary and from a pin.
    const [first, second] = [stable, lastGood].filter(
      (other) => other !== undefined && other.version !== release.version && !hasFailed(other, wishes),
    );
    if (first && hasFailed(release, wishes)) chosen.set(unit, { release: first, source: 'fallback', lastGood: second });
    else chosen.set(unit, { release, source, lastGood: first });
  }
  for (const [unit, pinned] of wishes.pins ?? [])
    if (!chosen.has(unit)) chosen.set(unit, { release: pinned, source: 'pin' });

  return { revision, units: withoutMisfits(chosen) };
}

function hasFailed(release: Release, { failedShell, isDamaged }: Wishes): boolean {
  return (release.unit === SHELL && release.version === failedShell) || isDamaged?.(release) === true;
}

/**
 * A way back that does not fit the chosen shell is none. Where the shell is another one than expected, because the
 * expected one has failed, a remote that does not fit it is replaced by its way back.
 */
function withoutMisfits(chosen: Map<Unit, Chosen>): Map<Unit, Chosen> {
  const shell = chosen.get(SHELL)?.release;
  if (!shell) return chosen;

  for (const [unit, { release, source, lastGood }] of chosen) {
    if (unit === SHELL || !lastGood) continue;
    if (findHostApiProblem(shell.contract, lastGood.contract)) chosen.set(unit, { release, source });
    else if (source !== 'pin' && findHostApiProblem(shell.contract, release.contract))
      chosen.set(unit, { release: lastGood, source: 'fallback' });
  }
  return chosen;
}
