import type { Releases } from '#api/delivery/rendering/releases.ts';
import type { Named } from '#api/delivery/registry/snapshot.ts';
import { transactMove } from '#api/delivery/registry/transact-move.ts';

/** Removes the files of releases that were removed. One that was published again meanwhile keeps those that it has now. */
export async function removeFiles(
  { db, store }: Pick<Releases, 'db' | 'store'>,
  removed: readonly Named[],
): Promise<void> {
  for (const { unit, version } of removed)
    // Publishing waits, so that nothing is kept between the question and the removal.
    await transactMove(
      db,
      async (tx) => {
        if (!(await tx.releases.find(unit, version))) await store.remove(unit, version);
      },
      { isUrgent: true },
    );
}
