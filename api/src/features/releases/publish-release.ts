import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Act } from '#api/features/audit/audit-entry.ts';
import { findReleaseProblems } from './find-release-problems.ts';
import type { Releases } from './releases.ts';
import { readStaged } from './read-staged.ts';
import { transact } from './transact.ts';

/** What became of a release that was brought: it is there now, was there already, or is refused. */
export type Published =
  { outcome: 'published' | 'unchanged'; unit: string; version: string } | { outcome: 'refused'; problems: string[] };

/**
 * Publishes the release that lies in a folder of the store. It is served to nobody before a channel names it. Killed at
 * any point, it leaves a registry that does not know the release, and the same call succeeds later.
 * @param staged a folder from `store.stage()`; it is gone afterwards
 * @param expected the unit and version that the sender named; the release has to be that one
 */
export async function publishRelease(
  { db, store }: Pick<Releases, 'db' | 'store'>,
  staged: string,
  { by, at, expected }: Act & { expected?: { unit: string; version: string } },
): Promise<Published> {
  try {
    const read = await readStaged(staged);
    if (!read.isOk) return { outcome: 'refused', problems: read.problems };

    const { release, bytes } = read;
    const { unit, version } = release;
    if (expected && (expected.unit !== unit || expected.version !== version))
      return {
        outcome: 'refused',
        problems: [`release.json says ${unit}@${version}, not ${expected.unit}@${expected.version}`],
      };

    const manifest = await readFile(join(staged, 'release.json'), 'utf8');
    const digest = createHash('sha256').update(manifest).digest('hex');
    await store.settle(staged);
    return await transact(db, async (tx): Promise<Published> => {
      await tx.channels.begin();
      const known = await tx.releases.find(unit, version);
      if (known)
        return known.digest === digest
          ? { outcome: 'unchanged', unit, version }
          : { outcome: 'refused', problems: [`${unit}@${version} is published already, with other content`] };

      const problems = await findReleaseProblems(tx, release);
      if (problems.length > 0) return { outcome: 'refused', problems };

      await store.keep(staged, unit, version);
      await tx.releases.add({ unit, version, manifest, digest, bytes, publishedAt: at, publishedBy: by });
      tx.record({ at, kind: 'release', code: 'published', subject: null, detail: { unit, version, digest, by } });
      return { outcome: 'published', unit, version };
    });
  } finally {
    await store.discard(staged);
  }
}
