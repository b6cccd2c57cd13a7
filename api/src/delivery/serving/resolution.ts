import { titleOf } from '@app/contracts/document';
import type { Fault } from '@app/contracts/faults';
import { SHELL, type Release, type Unit } from '@app/contracts/release';
import type { ResolvedUnit, Resolution } from '@app/contracts/resolution';
import type { Choice, Chosen } from './visitor-choice.ts';

/** The path at which a file of a release is served. */
export function releaseUrl({ unit, version }: Pick<Release, 'unit' | 'version'>, file = ''): string {
  return `/releases/${unit}/${version}/${file}`;
}

/**
 * Makes the resolution: the version of every unit that a visitor gets, as the shell reads it.
 * @param owner the unit of the page: only its last good version is named, because the page requests those of the others
 *   when it needs them. By default all are named.
 */
export function presentResolution(choice: Choice, owner?: Unit): Resolution {
  const { revision, units, qa } = choice;
  const present = ([unit, chosen]: [Unit, Chosen]): [Unit, ResolvedUnit] => {
    const fault = faultOf(choice, unit);
    const isNamed = owner === undefined || owner === unit;
    return [unit, { ...presentUnit(chosen), ...(isNamed && presentLastGood(chosen)), ...(fault && { fault }) }];
  };
  return {
    revision,
    units: Object.fromEntries([...units].map(present)),
    ...(qa && { qa: qa.told }),
  };
}

/** The fault that QA simulates for a unit. A fault of a single version does not affect the version that replaces it. */
export function faultOf({ units, qa }: Choice, unit: Unit): Fault | undefined {
  const fault = qa?.faults[unit];
  const hitsAll = fault === 'offline' || fault === 'slow';
  return hitsAll || units.get(unit)?.source !== 'fallback' ? fault : undefined;
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

function presentUnit({ release, source }: Chosen): ResolvedUnit {
  const { version, routes } = release;
  const titled = routes.filter(({ path, title }) => titleOf(path, title) !== titleOf(path));

  return {
    version,
    source,
    ...presentEntry(release),
    routes: routes.map(({ path }) => path),
    ...(titled.length > 0 && { titles: Object.fromEntries(titled.map(({ path, title }) => [path, title])) }),
  };
}

/** A shell that fails cannot load another; the server gives another one to the next request. */
function presentLastGood({ release, lastGood }: Chosen): Pick<ResolvedUnit, 'lastGood'> {
  if (!lastGood || release.unit === SHELL) return {};

  return { lastGood: { version: lastGood.version, ...presentEntry(lastGood) } };
}

function presentEntry(release: Release): Pick<ResolvedUnit, 'entry' | 'contract'> {
  const { file, globalName, integrity } = release.entry;
  return {
    entry: { url: releaseUrl(release, file), integrity, ...(globalName && { globalName }) },
    contract: release.contract.version,
  };
}
