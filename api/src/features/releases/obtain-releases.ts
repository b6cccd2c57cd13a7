import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, ReleaseRow } from '#api/db/schema.ts';
import { withTimeout } from '#api/http/with-timeout.ts';
import { fetchRelease } from './fetch-release.ts';
import type { PeerSignature } from './peer-signature.ts';
import type { ReleaseStore } from './release-store.ts';
import type { Prerendering } from './rendering/prerendering.ts';
import { createReleasesRepository } from './releases.repository.ts';
import type { Named } from './snapshot.ts';

interface Deps {
  db: Db;
  store: ReleaseStore;
  signature: PeerSignature;
  /** The addresses of the other servers that live. */
  listPeerUrls: () => Promise<readonly string[]>;
  /** Is told of the first failure to fetch a release, and of its arrival. */
  tell: (news: { unit: string; version: string; problem?: string }) => void;
}

/** Fetches from other servers the releases that this one lacks. */
export interface ObtainReleases {
  /**
   * Fetches those of some releases that are not here, for so many milliseconds at most. What is under way then goes on.
   * @returns those that are still not here
   */
  obtain: (wanted: readonly Named[], patienceMs: number) => Promise<ReadonlySet<Named>>;
  /** Fetches every published release that is not here, so that none is lost with the server that took it. */
  turn: () => Promise<void>;
}

export function createObtainReleases({ db, store, signature, listPeerUrls, tell }: Deps): ObtainReleases {
  const releases = createReleasesRepository(db);
  /** The digests of those that are here. Files that are lost later are the business of `release-health`. */
  const here = new Map<string, string>();
  const underWay = new Map<string, Promise<void>>();
  /** Where the files of a release lie that came in tries that failed. */
  const begun = new Map<string, string>();

  async function isHere({ unit, version, digest }: Pick<ReleaseRow, 'unit' | 'version' | 'digest'>): Promise<boolean> {
    const key = keyOf({ unit, version });
    if (here.get(key) === digest) return true;
    const list = await readFile(join(store.folder, unit, version, 'release.json')).catch(() => undefined);
    if (!list || createHash('sha256').update(list).digest('hex') !== digest) return false;
    here.set(key, digest);
    return true;
  }

  async function fetchFromAny(row: ReleaseRow): Promise<void> {
    const { unit, version, digest } = row;
    const key = `${keyOf(row)} ${digest}`;
    const isFirstTry = !begun.has(key);
    const staged = begun.get(key) ?? (await store.stage());
    begun.set(key, staged);
    const problems: string[] = [];
    for (const peerUrl of await listPeerUrls()) {
      try {
        await fetchRelease({ store, signature, peerUrl, staged }, row);
        here.set(keyOf(row), digest);
        begun.delete(key);
        return tell({ unit, version });
      } catch (error) {
        problems.push(`${peerUrl}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (isFirstTry) tell({ unit, version, problem: problems.join('; ') || 'No other server is there' });
  }

  function fetchOnce(row: ReleaseRow): Promise<void> {
    const key = `${keyOf(row)} ${row.digest}`;
    const task = underWay.get(key) ?? fetchFromAny(row).finally(() => underWay.delete(key));
    underWay.set(key, task);
    return task;
  }

  /** Fetches a release if it is not here; says whether it is here afterwards. */
  async function obtainOne({ unit, version }: Named): Promise<boolean> {
    const row = await releases.find(unit, version);
    if (!row) return true;
    if (!(await isHere(row))) await fetchOnce(row);
    return isHere(row);
  }

  return {
    async obtain(wanted, patienceMs) {
      const lacking = new Set(wanted);
      const tasks = wanted.map(async (release) => {
        if (await obtainOne(release)) lacking.delete(release);
      });
      await withTimeout(patienceMs, Promise.all(tasks), undefined);
      return new Set(lacking);
    },

    async turn() {
      for (const row of await releases.listDigests()) if (!(await isHere(row))) await obtainOne(row);
    },
  };
}

function keyOf({ unit, version }: Named): string {
  return `${unit}@${version}`;
}

/** Makes pages be tried only after the releases that they are made of were fetched, for so many milliseconds at most. */
export function tryObtained(prerendering: Prerendering, { obtain }: ObtainReleases, patienceMs: number): Prerendering {
  return {
    ...prerendering,
    async tryPairs(pairs, folders) {
      const wanted = new Set(pairs.flatMap(({ shell, remote }) => [shell, remote]));
      await obtain(
        [...wanted].filter((release) => !folders?.has(release)),
        patienceMs,
      );
      return prerendering.tryPairs(pairs, folders);
    },
  };
}
