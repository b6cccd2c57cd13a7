import type { Unit } from '@app/contracts/release';
import * as v from 'valibot';
import type { ReleaseRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import type { Repositories } from '#api/delivery/registry/transact.ts';
import { transactMove } from '#api/delivery/channels/change-channels.ts';
import type { Named } from '#api/delivery/registry/registry.ts';

/** A tab may be open for so long, and still load files of the release that it began with. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** What an event about a channel says of releases: which one it names from then on, and which it named until then. */
const eventSchema = v.object({
  unit: v.string(),
  version: v.nullish(v.string()),
  from: v.nullish(v.string()),
  canary: v.nullish(v.string()),
});

/**
 * Finds the releases that nobody needs: older than 30 days, and named by no channel since then, and by no
 * pin of a browser.
 * @param at now, in epoch milliseconds
 */
export async function findGarbage({ channels, releases, audit }: Repositories, at: number): Promise<ReleaseRow[]> {
  const before = at - KEPT_MS;
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

  return (await releases.list()).filter(
    ({ unit, version, publishedAt, lastStableAt, pinnedUntil }) =>
      Math.max(publishedAt, lastStableAt ?? 0) < before && (pinnedUntil ?? 0) <= at && !named.has(`${unit}@${version}`),
  );
}

/**
 * Removes releases that nobody needs, first from the registry, then their files. Killed in between, it leaves files that
 * nobody knows.
 * @returns what was removed
 */
export async function collectGarbage(
  { db, store }: Pick<Releases, 'db' | 'store'>,
  { by, at }: Act,
): Promise<ReleaseRow[]> {
  // Meanwhile no move can name one of them.
  const removed = await transactMove(db, async (tx) => {
    const garbage = await findGarbage(tx, at);
    for (const { unit, version, digest } of garbage) {
      await tx.releases.remove(unit, version);
      tx.record({ at, kind: 'release', code: 'removed', subject: null, detail: { unit, version, digest, by } });
    }
    return garbage;
  });
  await removeFiles({ db, store }, removed);
  return removed;
}

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
