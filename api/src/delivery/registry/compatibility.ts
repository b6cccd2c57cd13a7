import { findHostApiProblem } from '@app/contracts/host-api-fit';
import { type Release, releaseSchema } from '@app/contracts/release';
import { SHELL, type Unit } from '@app/contracts/unit';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { nameOf } from './registry.ts';
import type { createChannelsRepository, createReleasesRepository } from './registry.repository.ts';

export interface RegistryRepositories {
  channels: ReturnType<typeof createChannelsRepository>;
  releases: ReturnType<typeof createReleasesRepository>;
}

/** The releases that visitors of each unit get: the stable one and the canary. */
export type ServedReleases = ReadonlyMap<Unit, readonly Release[]>;

/** Without the last good releases: one that does not fit is left out of pages (`selectReleases`). */
export async function readServed({ channels, releases }: RegistryRepositories): Promise<ServedReleases> {
  const served = new Map<Unit, Release[]>();
  for (const { unit, channel } of await channels.list()) {
    const named: Release[] = [];
    for (const version of new Set([channel.stable, channel.canary])) {
      const row = version === null ? undefined : await releases.find(unit, version);
      if (row) named.push(parseJson(releaseSchema, row.manifest));
    }
    served.set(unit, named);
  }
  return served;
}

export function withRelease(served: ServedReleases, release: Release): ServedReleases {
  return new Map([...served, [release.unit, [...(served.get(release.unit) ?? []), release]]]);
}

/** Says why a remote cannot run in a shell, in a sentence without its full stop; undefined when it can. */
export function findIncompatibility(shell: Release, remote: Release): string | undefined {
  const problem = findHostApiProblem(shell.contract, remote.contract);
  return problem && `${nameOf(remote)} ${problem} (${nameOf(shell)})`;
}

/** Every shell is compared with every remote, and no page may belong to two units. Returns a sentence for each. */
export function findIncompatibilities(served: ServedReleases): string[] {
  const shells = served.get(SHELL) ?? [];
  const remotes = [...served].filter(([unit]) => unit !== SHELL).flatMap(([, releases]) => releases);

  const contracts = remotes.flatMap((remote) => shells.flatMap((shell) => findIncompatibility(shell, remote) ?? []));
  return [...contracts, ...findSharedPages([...served.values()].flat())];
}

/** Finds the incompatibilities that a change of what is served would bring. Those that exist already do not count. */
export function findNewIncompatibilities(before: ServedReleases, after: ServedReleases): string[] {
  const known = new Set(findIncompatibilities(before));
  return findIncompatibilities(after).filter((incompatibility) => !known.has(incompatibility));
}

function findSharedPages(releases: readonly Release[]): string[] {
  const claims = new Map<string, Release>();
  const shared = new Set<string>();
  for (const release of releases)
    for (const { path } of release.routes) {
      const other = claims.get(path);
      if (other && other.unit !== release.unit)
        shared.add(`${path} is a page of both ${nameOf(other)} and ${nameOf(release)}`);
      else claims.set(path, release);
    }
  return [...shared];
}

/** @param isPromotedNext whether the host API is left to the change of channels that follows */
export async function findCompatibilityProblems(
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

export interface PathOwner {
  unit: Unit;
  paths: readonly string[];
}

/** Paths of the server and of files. None of them is a page; an unknown one answers 404. */
export const RESERVED_PATHS =
  /^\/(api|releases|dev|content|download|healthz|readyz|\.well-known)(\/|$)|\.[A-Za-z0-9]+$/i;

const PATH_PATTERN = /^\/[A-Za-z0-9/_-]*$/;

/** The unit with the most specific pattern: the one with the most characters before its first `*`. */
function findPathOwner(owners: readonly PathOwner[], path: string): Unit | undefined {
  if (!PATH_PATTERN.test(path) || RESERVED_PATHS.test(path)) return undefined;

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
