import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SHELL, type Release, type Unit } from '@app/contracts/release';
import {
  findNewIncompatibilities,
  readServed,
  withRelease,
  type RegistryRepositories,
} from '#api/delivery/registry/find-incompatibilities.ts';
import { NEVER_PAGES } from '#api/delivery/serving/resolution.ts';
import { isForServer } from '#api/delivery/store/release-files.ts';

/**
 * Finds why a release does not fit the site: its unit, the paths that it claims, and its host API with all releases of
 * other units that visitors get.
 * @param isPromotedNext whether the host API is left to the change of channels that follows
 */
export async function findFitProblems(
  repositories: RegistryRepositories,
  release: Release,
  { isPromotedNext }: { isPromotedNext: boolean },
): Promise<string[]> {
  const units = await repositories.channels.list();
  if (!units.some(({ unit }) => unit === release.unit)) return [`No unit has the name ${release.unit}`];

  const claims = release.routes.flatMap(({ path }) => {
    const owner = findPathOwner(units, path);
    if (owner === release.unit) return [];
    return [owner ? `${path} belongs to ${owner}` : `${path} cannot be the path of a page`];
  });
  if (isPromotedNext) return claims;

  const served = await readServed(repositories);
  return [...claims, ...findNewIncompatibilities(served, withRelease(served, release))];
}

/** A unit and the patterns of the paths that it may claim. */
export interface PathOwner {
  unit: Unit;
  paths: readonly string[];
}

const PATH = /^\/[A-Za-z0-9/_-]*$/;

/**
 * Finds which unit may claim a path: the one with the most specific pattern that matches it. The more characters a pattern
 * has before its first `*`, the more specific it is.
 * @returns undefined when no unit may
 */
export function findPathOwner(owners: readonly PathOwner[], path: string): Unit | undefined {
  if (!PATH.test(path) || NEVER_PAGES.test(path)) return undefined;

  let best: { unit: Unit; weight: number } | undefined;
  for (const { unit, paths } of owners)
    for (const pattern of paths) {
      if (!matches(pattern, path)) continue;
      const weight = pattern.includes('*') ? pattern.indexOf('*') : Infinity;
      if (!best || weight > best.weight) best = { unit, weight };
    }
  return best?.unit;
}

function matches(pattern: string, path: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === path;
  return path.startsWith(start) && path.length >= pattern.length - 1 && path.endsWith(rest.at(-1) ?? '');
}

/**
 * How much a page may need of one unit, in bytes before compression: twice what the largest page of each needs here. A
 * file that is loaded later may be as large as a page.
 */
export const BUDGET_BYTES = { shell: 900_000, remote: 230_000 };

/** How large a file for the renderer may be, in bytes. Those of the shell are half of that. */
export const MOST_SERVER_BYTES = 2_500_000;

/** Files that browsers neither run nor apply. All others count, whatever their names say. */
const NO_CODE = /\.(?:png|jpe?g|webp|avif|gif|svg|ico|woff2?|ttf|otf|mp3|ogg|mp4|webm|json|txt|md)$/i;
const STYLE = /\.css$/i;

/**
 * Marks that each shared package leaves in a minified build: texts and keys, because bundlers shorten names. The platform
 * contains the router and zustand.
 */
const MARKS: Readonly<Record<string, RegExp>> = {
  react: /takes an object of state variables to update/,
  'react-dom': /__reactContainer\$|__DOM_INTERNALS_DO_NOT_USE/,
  'react-router-dom': /may be used only in the context of a <Router> component/,
  zustand: /\bsetState:[^;]{1,90}\bgetInitialState:/,
};

/**
 * Finds what makes a release too heavy for every page of the site: more bytes than the budget, and packages of which the
 * page has a copy already.
 * @param folder where its files lie
 * @returns a sentence for each
 */
export async function findWeightProblems(release: Release, folder: string): Promise<string[]> {
  return [...findOverruns(release), ...(await findCopies(release, folder))];
}

function findOverruns({ unit, routes, entry, css: everywhere, files }: Release): string[] {
  const most = BUDGET_BYTES[unit === SHELL ? 'shell' : 'remote'];
  const forAll = [entry.file, ...everywhere];
  const needed = routes.map(({ path, preload, css }) => ({
    what: path,
    names: [...new Set([...forAll, ...preload, ...css])],
  }));
  const withPages = new Set(needed.flatMap(({ names }) => names));
  const later = Object.keys(files)
    .filter((name) => !NO_CODE.test(name) && !isForServer(name) && !withPages.has(name))
    .map((name) => ({ what: name, names: [name] }));

  const forServer = Object.keys(files).filter(
    (name) => isForServer(name) && (files[name]?.bytes ?? 0) > MOST_SERVER_BYTES,
  );

  return [
    ...forServer.map((name) => `${name} is larger than ${inKilobytes(MOST_SERVER_BYTES)}`),
    ...[...needed, ...later].flatMap(({ what, names }) => {
      const bytes = names.reduce((sum, name) => sum + (files[name]?.bytes ?? 0), 0);
      return bytes <= most
        ? []
        : [
            `${what} needs ${inKilobytes(bytes)} of scripts and styles, the site's budget for a unit is ${inKilobytes(most)}`,
          ];
    }),
  ];
}

async function findCopies({ unit, files }: Release, folder: string): Promise<string[]> {
  if (unit === SHELL) return [];

  const copies: string[] = [];
  for (const [name, { bytes: size }] of Object.entries(files)) {
    // A file that is too large is refused anyway, so it is not read.
    if (NO_CODE.test(name) || STYLE.test(name) || isForServer(name) || size > BUDGET_BYTES.remote) continue;
    const bytes = await readFile(join(folder, name));
    // In another encoding a copy would not be found.
    if (!isUtf8(bytes)) copies.push(`${name} is not UTF-8`);
    const code = bytes.toString();
    for (const [shared, mark] of Object.entries(MARKS))
      if (mark.test(code)) copies.push(`${name} contains a copy of ${shared}, which the page has already`);
  }
  return copies;
}

function inKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`;
}
