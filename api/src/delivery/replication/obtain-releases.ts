import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Db, ReleaseRow } from '#api/foundation/db/schema.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import { readStaged } from '#api/delivery/store/staged-release.ts';
import { packRelease, receiveRelease } from '#api/delivery/store/release-archive.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import type { Prerendering } from '#api/delivery/rendering/prerendering.ts';
import { createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import { type ReleaseId, nameOf } from '#api/delivery/registry/registry.ts';

/** Without a pause, a release that does not fit on the disk would fill it with each attempt. */
const RETRY_MS = 10_000;

type KnownRelease = Pick<ReleaseRow, 'unit' | 'version' | 'digest'>;

interface Deps {
  db: Db;
  store: ReleaseStore;
  health: Pick<ReleaseHealth, 'findDamage'>;
  /** Called with the first failure to fetch a release, and when it has arrived. */
  report: (news: { unit: string; version: string; problem?: string }) => void;
  retryMs?: number;
}

export function createObtainReleases({ db, store, health, report, retryMs = RETRY_MS }: Deps) {
  const releases = createReleasesRepository(db);
  /** The digests of those that are here. Files that are lost later are found by `release-health`. */
  const here = new Map<string, string>();
  const underWay = new Map<string, Promise<void>>();
  /** When each release that could not be fetched was last tried, in milliseconds of the process. */
  const failed = new Map<string, number>();

  async function isHere({ unit, version, digest }: KnownRelease): Promise<boolean> {
    const key = nameOf({ unit, version });
    if (here.get(key) === digest) return true;
    const list = await readFile(join(store.folder, unit, version, 'release.json')).catch(() => undefined);
    if (!list || createHash('sha256').update(list).digest('hex') !== digest) return false;
    here.set(key, digest);
    return true;
  }

  async function fetchFromDatabase(row: KnownRelease): Promise<void> {
    const key = `${nameOf(row)} ${row.digest}`;
    try {
      await unpack(row);
      here.set(nameOf(row), row.digest);
      failed.delete(key);
      report({ unit: row.unit, version: row.version });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (!failed.has(key)) report({ unit: row.unit, version: row.version, problem });
      failed.set(key, performance.now());
    }
  }

  /** An archive from the database is checked like one that a team sends: its names become paths. */
  async function unpack({ unit, version, digest }: KnownRelease): Promise<void> {
    const staged = await store.stage();
    try {
      await receiveRelease(Readable.from(releases.readArchive(unit, version)), staged);
      const read = await readStaged(staged);
      if (!read.isOk) throw new Error(read.problems.join('; '));
      if (createHash('sha256').update(read.manifest).digest('hex') !== digest)
        throw new Error('The archive is not of what was published');
      await store.settle(staged);
      await store.keep(staged, unit, version);
    } finally {
      await store.discard(staged);
    }
  }

  /** Stores the archive of a release that is here, unless files of it are missing or damaged. */
  async function storeArchive({ unit, version }: KnownRelease): Promise<void> {
    const folder = join(store.folder, unit, version);
    const read = await readStaged(folder);
    if (!read.isOk) return;
    const archive = await packRelease(folder, read.release);
    await db.transaction().execute((tx) => createReleasesRepository(tx).addArchive(unit, version, archive));
  }

  function fetchOnce(row: KnownRelease): Promise<void> {
    const key = `${nameOf(row)} ${row.digest}`;
    if (performance.now() - (failed.get(key) ?? -Infinity) < retryMs) return Promise.resolve();
    const task = underWay.get(key) ?? fetchFromDatabase(row).finally(() => underWay.delete(key));
    underWay.set(key, task);
    return task;
  }

  async function obtainOne({ unit, version }: ReleaseId): Promise<boolean> {
    const row = await releases.find(unit, version);
    if (!row) return true;
    if (!(await isHere(row))) await fetchOnce(row);
    return isHere(row);
  }

  return {
    /** @returns those that are still not here at the timeout; what is under way goes on */
    async obtain(this: void, wanted: readonly ReleaseId[], timeoutMs: number): Promise<ReadonlySet<ReleaseId>> {
      const lacking = new Set(wanted);
      const tasks = wanted.map(async (release) => {
        if (await obtainOne(release)) lacking.delete(release);
      });
      await withTimeout(timeoutMs, Promise.all(tasks), undefined);
      return new Set(lacking);
    },

    /** Fetches what is lacking or damaged, as tabs may need it, and stores archives that earlier servers did not. */
    async turn(this: void): Promise<void> {
      for (const row of await releases.listWithoutArchive()) if (await isHere(row)) await storeArchive(row);
      for (const row of await releases.listDigests())
        if (!(await isHere(row)) || health.findDamage(row) !== undefined) await fetchOnce(row);
    },
  };
}

export function obtainBeforeRendering(
  prerendering: Prerendering,
  { obtain }: Pick<ReturnType<typeof createObtainReleases>, 'obtain'>,
  timeoutMs: number,
): Prerendering {
  return {
    ...prerendering,
    async renderPairs(pairs, folders) {
      const wanted = new Set(pairs.flatMap(({ shell, remote }) => [shell, remote]));
      await obtain(
        [...wanted].filter((release) => !folders?.has(release)),
        timeoutMs,
      );
      return prerendering.renderPairs(pairs, folders);
    },
  };
}
