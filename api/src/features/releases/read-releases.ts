import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseSchema, UNITS, type Release, type Unit } from '@app/contracts/release';
import * as v from 'valibot';

export type Releases = Record<Unit, Release>;

/**
 * Opens the releases that pages are made of.
 * @param folder the folder of all releases
 * @param options.areEdited whether units are edited now: then each call reads the releases again
 * @throws Error as `readReleases`
 */
export function openReleases(folder: string, { areEdited }: { areEdited: boolean }): () => Releases {
  const atStart = readReleases(folder);
  return areEdited ? () => readReleases(folder) : () => atStart;
}

/**
 * Reads the newest release of every unit from `<folder>/<unit>/<version>/release.json`.
 * @throws Error that names the unit, when one has no release or the units do not fit together
 */
export function readReleases(folder: string): Releases {
  const releases = Object.fromEntries(UNITS.map((unit) => [unit, newestOf(unit, folder)])) as Releases;

  checkContracts(releases);
  checkPaths(releases);
  return releases;
}

function newestOf(unit: Unit, folder: string): Release {
  const versions = listVersions(join(folder, unit)).sort(compareVersions);
  const newest = versions.at(-1);
  if (!newest) throw new Error(`No release of ${unit} in ${folder}; build it first`);

  const path = join(folder, unit, newest, 'release.json');
  const parsed = v.safeParse(releaseSchema, JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path} is not a release: ${v.summarize(parsed.issues)}`);

  return parsed.output;
}

function listVersions(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  } catch {
    return [];
  }
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** A remote that was built for another major version of the contract would break in the page, so the start fails. */
function checkContracts({ shell, ...remotes }: Releases): void {
  const provided = shell.contract.provides;

  for (const { unit, version, contract } of Object.values(remotes)) {
    if (majorOf(contract.requires) !== majorOf(provided)) {
      throw new Error(`${unit}@${version} requires contract ${contract.requires}, the shell provides ${provided}`);
    }
  }
}

function checkPaths(releases: Releases): void {
  const owners = new Map<string, Unit>();

  for (const { unit, routes } of Object.values(releases)) {
    for (const { path } of routes) {
      const owner = owners.get(path);
      if (owner) throw new Error(`${path} is claimed by ${owner} and by ${unit}`);
      owners.set(path, unit);
    }
  }
}

function majorOf(contract: string | undefined): string | undefined {
  return contract?.split('.')[0];
}
