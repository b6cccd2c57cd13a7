import { PACKS_FOLDER } from '@app/contracts/packs';
import { isPreview, releaseSchema } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import * as v from 'valibot';
import { transactChange } from '#api/delivery/channels/change-channels.ts';
import { createChannelsRepository, createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import { type ReleaseId, nameOf } from '#api/delivery/registry/registry.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { bindRepositories, type Transaction } from '#api/foundation/audit/transact.ts';
import type { Db, ReleaseRow } from '#api/foundation/db/schema.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';

/** A tab may be open for so long, and still load files of the release that it started with. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Lock files in repositories of teams name the packs of a release, also once others have taken its place. */
const PACKS_RETENTION_MS = 365 * 24 * 60 * 60 * 1000;

const REPOSITORIES = {
  channels: createChannelsRepository,
  releases: createReleasesRepository,
  audit: createAuditRepository,
};

/** The releases that an event about a channel names: those that it names from then on, and those until then. */
const eventSchema = v.object({
  unit: v.string(),
  version: v.nullish(v.string()),
  from: v.nullish(v.string()),
  canary: v.nullish(v.string()),
});

interface Deps {
  db: Db;
  store: ReleaseStore;
}

/** Releases older than 30 days, or a year when they have packs, that since then no channel and no pin has named. */
export function findGarbage({ db }: Pick<Deps, 'db'>, at: number): Promise<ReleaseRow[]> {
  return listGarbage(bindRepositories(db, REPOSITORIES), at);
}

/** First from the registry, then their files. Killed in between, it leaves files that the registry does not know. */
export async function collectGarbage({ db, store }: Deps, { by, at }: Act): Promise<ReleaseRow[]> {
  // No change of a channel can name one of them meanwhile.
  const removed = await transactChange<typeof REPOSITORIES, ReleaseRow[]>(db, REPOSITORIES, async (tx) => {
    const garbage = await listGarbage(tx, at);
    await removeReleases(tx, garbage, { by, at });
    return garbage;
  });
  await removeFiles({ db, store }, removed);
  return removed;
}

/** Removes releases from the registry, on the record. Their files are removed after the commit. */
export async function removeReleases(
  tx: Pick<Transaction<typeof REPOSITORIES>, 'releases' | 'record'>,
  rows: readonly ReleaseRow[],
  { by, at }: Act,
): Promise<void> {
  for (const { unit, version, digest } of rows) {
    await tx.releases.remove(unit, version);
    tx.record({ at, kind: 'release', code: 'removed', subject: null, detail: { unit, version, digest, by } });
  }
}

async function listGarbage(
  { channels, releases, audit }: Omit<Transaction<typeof REPOSITORIES>, 'record'>,
  at: number,
): Promise<ReleaseRow[]> {
  const before = at - RETENTION_MS;
  const named = new Set<string>();
  const name = (unit: Unit, version: string | null | undefined) => named.add(`${unit}@${version ?? ''}`);

  const lastGood = await releases.listLastGood();
  for (const { unit, channel } of await channels.list()) {
    name(unit, channel.stable);
    name(unit, channel.canary);
    name(unit, lastGood.get(unit));
  }
  for (const { detail } of await audit.listSince('channel', before)) {
    const { unit, version, from, canary } = parseJson(eventSchema, detail);
    for (const either of [version, from, canary]) name(unit, either);
  }

  const isKeptLonger = ({ manifest }: ReleaseRow) =>
    Object.keys(parseJson(releaseSchema, manifest).files).some((file) => file.startsWith(`${PACKS_FOLDER}/`));
  return (await releases.list()).filter((row) => {
    const { publishedAt, lastStableAt, pinnedUntil } = row;
    const neededAt = Math.max(publishedAt, lastStableAt ?? 0);
    if (neededAt >= before || (pinnedUntil ?? 0) > at || named.has(nameOf(row))) return false;
    return neededAt < at - PACKS_RETENTION_MS || !isKeptLonger(row);
  });
}

/** Removes the files of removed releases. A release that was published again meanwhile keeps its files. */
export async function removeFiles({ db, store }: Deps, removed: readonly ReleaseId[]): Promise<void> {
  const needs = { releases: createReleasesRepository };
  for (const { unit, version } of removed)
    // Publishing waits, so that no release is kept between the check and the removal.
    await transactChange<typeof needs, void>(
      db,
      needs,
      async (tx) => {
        if (!(await tx.releases.find(unit, version))) await store.remove(unit, version);
      },
      { isUrgent: true },
    );
}

const SWEEP_ACTOR = 'preview sweep';

/** Without a preview that has ended it changes nothing, so that other changes do not wait for it. */
export async function sweepPreviews({ db, store }: Deps, at: number): Promise<number> {
  const isOver = ({ pinnedUntil }: ReleaseRow) => (pinnedUntil ?? 0) <= at;
  const needs = { releases: createReleasesRepository };
  const releases = createReleasesRepository(db);
  if ((await releases.listPreviews()).some(isOver))
    await transactChange<typeof needs, void>(db, needs, async (tx) => {
      const named = (await tx.channels.list()).flatMap(({ channel }) => [channel.stable, channel.canary]);
      const over = (await tx.releases.listPreviews()).filter((row) => isOver(row) && !named.includes(row.version));
      await removeReleases(tx, over, { by: SWEEP_ACTOR, at });
    });

  const kept = (await store.listKept()).filter(({ version }) => isPreview(version));
  if (kept.length === 0) return 0;
  const known = new Set((await releases.listDigests()).map(nameOf));
  const left = kept.filter((release) => !known.has(nameOf(release)));
  await removeFiles({ db, store }, left);
  return left.length;
}
