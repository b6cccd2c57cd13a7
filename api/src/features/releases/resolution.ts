import { titleOf } from '@app/contracts/document';
import { SHELL, type Release, type ResolvedUnit, type Resolution, type Unit } from '@app/contracts/release';
import type { Choice, Chosen } from './choose-releases.ts';

/** The path at which a file of a release is served. */
export function releaseUrl({ unit, version }: Pick<Release, 'unit' | 'version'>, file = ''): string {
  return `/releases/${unit}/${version}/${file}`;
}

/** Makes the resolution: the version of every unit that a visitor gets, as the shell reads it. */
export function presentResolution({ revision, units, qa }: Choice): Resolution {
  const present = ([unit, chosen]: [Unit, Chosen]): [Unit, ResolvedUnit] => {
    const fault = qa?.faults[unit];
    return [unit, { ...presentUnit(chosen), ...(fault && { fault }) }];
  };
  return {
    revision,
    units: Object.fromEntries([...units].map(present)),
    ...(qa && { qa: qa.told }),
  };
}

/** Finds the unit and the route of a path; undefined when no unit has it. */
export function findRoute(
  { units }: Choice,
  path: string,
): { unit: Unit; release: Release; route: Release['routes'][number] } | undefined {
  for (const [unit, { release }] of units) {
    const route = release.routes.find((candidate) => candidate.path === path);
    if (route) return { unit, release, route };
  }
  return undefined;
}

function presentUnit({ release, source, lastGood }: Chosen): ResolvedUnit {
  const { unit, version, routes } = release;
  const titled = routes.filter(({ path, title }) => titleOf(path, title) !== titleOf(path));

  return {
    version,
    source,
    ...presentEntry(release),
    routes: routes.map(({ path }) => path),
    ...(titled.length > 0 && { titles: Object.fromEntries(titled.map(({ path, title }) => [path, title])) }),
    // A shell that fails cannot load another; the server gives another one to the next request.
    ...(lastGood && unit !== SHELL && { lastGood: { version: lastGood.version, ...presentEntry(lastGood) } }),
  };
}

function presentEntry(release: Release): Pick<ResolvedUnit, 'entry' | 'contract'> {
  const { file, globalName, integrity } = release.entry;
  return {
    entry: { url: releaseUrl(release, file), integrity, ...(globalName && { globalName }) },
    ...(release.unit !== SHELL && { contract: release.contract.version }),
  };
}
