import { createHash } from 'node:crypto';
import { findHostApiProblem } from '../../shared/contracts/src/host-api-fit.ts';
import type { Release } from '../../shared/contracts/src/release.ts';
import { SHELL } from '../../shared/contracts/src/unit.ts';
import type { ResolvedUnit, Resolution } from '../../shared/contracts/src/resolution.ts';

/** Where a build has its source maps: in a folder of their own, where none is taken for the entry. */
export const SOURCE_MAPS = 'source-maps';

/** The unit that is edited: its newest build, and why there is no newer one. */
export interface EditedUnit {
  unit: string;
  /** The version that every build gets. */
  version: string;
  folder: string;
  /** The last build that can be shown; undefined before the first. */
  release?: Release | undefined;
  /** The error of the last build, or why it does not fit the site. */
  problem?: string | undefined;
}

/** The address below which the site has the files of a unit's version. */
export function releaseUrl({ unit, version }: { unit: string; version: string }): string {
  return `/releases/${unit}/${version}/`;
}

/** A short name of what a build contains; empty before the first. */
export function nameBuild({ release }: EditedUnit): string {
  return release ? createHash('sha256').update(JSON.stringify(release)).digest('hex').slice(0, 12) : '';
}

/**
 * Finds why a build cannot live with the units that the site serves.
 * @returns a sentence; undefined when they fit
 */
export function findIncompatibility({ units }: Resolution, release: Release): string | undefined {
  const edited = `${release.unit}@${release.version}`;
  if (release.unit !== SHELL) {
    const shell = units[SHELL];
    const problem = shell?.contract && findHostApiProblem({ version: shell.contract }, versionOf(release));
    return problem ? `${edited} ${problem} (${SHELL}@${shell?.version ?? ''} of the site)` : undefined;
  }

  for (const [unit, { version, contract }] of Object.entries(units)) {
    const problem = unit !== SHELL && contract && findHostApiProblem(release.contract, { version: contract });
    if (problem) return `${unit}@${version} of the site ${problem} (${edited})`;
  }
  return undefined;
}

/** Pages say which version of the host API a unit has, but not its names. */
function versionOf({ contract: { version } }: Release): { version: string } {
  return { version };
}

/** Puts the edited unit into a resolution. What fails there has no fallback: its developer has to see it. */
export function replaceUnit(resolution: Resolution, { release }: EditedUnit): Resolution {
  if (!release) return resolution;
  return { ...resolution, units: { ...resolution.units, [release.unit]: presentUnit(release) } };
}

function presentUnit(release: Release): ResolvedUnit {
  const { version, entry, contract, routes } = release;
  const { file, ...how } = entry;

  return {
    version,
    // Of all sources this one says best that the version was chosen for this browser alone.
    source: 'pin',
    entry: { url: releaseUrl(release) + file, ...how },
    contract: contract.version,
    routes: routes.map(({ path }) => path),
    titles: Object.fromEntries(routes.filter(({ title }) => title).map(({ path, title }) => [path, title])),
  };
}
