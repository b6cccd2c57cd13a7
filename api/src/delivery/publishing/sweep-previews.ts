import { isPreview } from '@app/contracts/release';
import { transactChange } from '#api/delivery/channels/change-channels.ts';
import { createChannelsRepository, createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import type { Db, ReleaseRow } from '#api/foundation/db/schema.ts';
import { removeFiles, removeReleases } from './collect-garbage.ts';

/** Names the sweep in the audit. */
const SWEEP = 'preview sweep';

const NEEDS = { channels: createChannelsRepository, releases: createReleasesRepository };

/**
 * Removes the previews that have ended, and the files of those that this or another server has removed. Without any it
 * changes nothing, so other changes do not wait for it.
 * @param at now, in epoch milliseconds
 * @returns how many previews had files here that are gone now
 */
export async function sweepPreviews({ db, store }: { db: Db; store: ReleaseStore }, at: number): Promise<number> {
  const isOver = ({ pinnedUntil }: ReleaseRow) => (pinnedUntil ?? 0) <= at;
  const releases = createReleasesRepository(db);
  if ((await releases.listPreviews()).some(isOver))
    await transactChange<typeof NEEDS, void>(db, NEEDS, async (tx) => {
      const named = (await tx.channels.list()).flatMap(({ channel }) => [channel.stable, channel.canary]);
      const over = (await tx.releases.listPreviews()).filter((row) => isOver(row) && !named.includes(row.version));
      await removeReleases(tx, over, { by: SWEEP, at });
    });

  const kept = (await store.listKept()).filter(({ version }) => isPreview(version));
  if (kept.length === 0) return 0;
  const known = new Set((await releases.listDigests()).map(({ unit, version }) => `${unit}@${version}`));
  const left = kept.filter(({ unit, version }) => !known.has(`${unit}@${version}`));
  await removeFiles({ db, store }, left);
  return left.length;
}
