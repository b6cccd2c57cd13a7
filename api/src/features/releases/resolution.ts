import { titleOf } from '@app/contracts/document';
import { UNITS, type Release, type Resolution, type Unit } from '@app/contracts/release';
import type { Releases } from './read-releases.ts';

/** Where the files of a release are served. */
export function releaseUrl({ unit, version }: Pick<Release, 'unit' | 'version'>, file = ''): string {
  return `/releases/${unit}/${version}/${file}`;
}

/** The version of every unit that a visitor gets, in the shape that the shell reads. */
export function resolve(releases: Releases): Resolution {
  return { units: Object.fromEntries(UNITS.map((unit) => [unit, presentRelease(releases[unit])])) };
}

/** The unit and the route of its release that answer a path, if any do. */
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
