import { titleOf } from '@app/contracts/document';
import { UNITS, type Release, type Resolution, type Unit } from '@app/contracts/release';
import type { Releases } from './read-releases.ts';

/** The path at which a file of a release is served. */
export function releaseUrl({ unit, version }: Pick<Release, 'unit' | 'version'>, file = ''): string {
  return `/releases/${unit}/${version}/${file}`;
}

/** Makes the resolution: the version of every unit that a visitor gets, as the shell reads it. */
export function resolve(releases: Releases): Resolution {
  return { units: Object.fromEntries(UNITS.map((unit) => [unit, presentRelease(releases[unit])])) };
}

/** Finds the unit and the route of a path; undefined when no unit has it. */
export function findRoute(
  releases: Releases,
  path: string,
): { unit: Unit; route: Release['routes'][number] } | undefined {
  for (const unit of UNITS) {
    const route = releases[unit].routes.find((candidate) => candidate.path === path);
    if (route) return { unit, route };
  }
  return undefined;
}

function presentRelease(release: Release): Resolution['units'][string] {
  const { version, contract, entry, routes } = release;
  const { globalName } = entry;
  const titled = routes.filter(({ path, title }) => titleOf(path, title) !== titleOf(path));

  return {
    version,
    source: 'stable',
    entry: { url: releaseUrl(release, entry.file), integrity: entry.integrity, ...(globalName && { globalName }) },
    ...(contract.requires && { contract: contract.requires }),
    routes: routes.map(({ path }) => path),
    ...(titled.length > 0 && { titles: Object.fromEntries(titled.map(({ path, title }) => [path, title])) }),
  };
}
