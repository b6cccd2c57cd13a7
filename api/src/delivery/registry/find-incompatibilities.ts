import { findHostApiProblem } from '@app/contracts/host-api-fit';
import { type Release, releaseSchema, SHELL, type Unit } from '@app/contracts/release';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import type { Repositories } from './transact.ts';

/** The releases that visitors of each unit get: the stable one and the canary. */
export type Served = ReadonlyMap<Unit, readonly Release[]>;

/**
 * Reads what visitors get as the transaction sees it. Ways back are not in it: where one does not fit, it is left out
 * (`chooseReleases`), so it can neither break a page nor stand in the way of a move.
 */
export async function readServed({ channels, releases }: Pick<Repositories, 'channels' | 'releases'>): Promise<Served> {
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

/** What visitors would get if a release were also among those of its unit. */
export function withRelease(served: Served, release: Release): Served {
  return new Map([...served, [release.unit, [...(served.get(release.unit) ?? []), release]]]);
}

/** Says why a remote cannot live under a shell: a sentence without its point. Undefined when it can. */
export function findMisfit(shell: Release, remote: Release): string | undefined {
  const problem = findHostApiProblem(shell.contract, remote.contract);
  return problem && `${nameOf(remote)} ${problem} (${nameOf(shell)})`;
}

/**
 * Finds what cannot live in one page: every shell is compared with every remote that it could meet, and no page may
 * belong to two units.
 * @returns a sentence for each misfit
 */
export function findMisfits(served: Served): string[] {
  const shells = served.get(SHELL) ?? [];
  const remotes = [...served].filter(([unit]) => unit !== SHELL).flatMap(([, releases]) => releases);

  const contracts = remotes.flatMap((remote) =>
    shells.flatMap((shell) => {
      const misfit = findMisfit(shell, remote);
      return misfit === undefined ? [] : [misfit];
    }),
  );
  return [...contracts, ...findSharedPages([...served.values()].flat())];
}

/** Finds the misfits that a change of what is served would bring. Those that were there before do not count. */
export function findNewMisfits(before: Served, after: Served): string[] {
  const known = new Set(findMisfits(before));
  return findMisfits(after).filter((misfit) => !known.has(misfit));
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

function nameOf({ unit, version }: Release): string {
  return `${unit}@${version}`;
}
