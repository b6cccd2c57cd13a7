import type { Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import type { PublishedAnswer, ReleaseChanges } from '@app/contracts/registry';
import { type Release, releaseSchema } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { BadArchive, packRelease, type ReceiveLimits, receiveRelease } from '#api/delivery/store/release-archive.ts';
import { refuse, type Refused } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { readServed, withRelease } from '#api/delivery/registry/find-incompatibilities.ts';
import { readStaged } from '#api/delivery/store/staged-release.ts';
import { findThrowingPages, transactMove } from '#api/delivery/channels/change-channels.ts';
import { createRepositories, type Repositories, transact } from '#api/delivery/registry/transact.ts';
import { findReleaseProblems, findWeightProblems } from './release-problems.ts';

/**
 * Publishes a release that comes in as a tar.gz. It is published when all of it is there.
 * @param body see `receiveRelease`
 * @param isStillAllowed is called when everything is here, and throws when it may not be published any more
 */
export async function publishArchive(
  releases: Pick<Releases, 'db' | 'store' | 'prerendering' | 'now'>,
  body: Readable,
  options: Pick<Act, 'by'> & PublishOptions,
  { limits, isStillAllowed }: { limits?: ReceiveLimits | undefined; isStillAllowed?: () => Promise<void> } = {},
): Promise<Published> {
  const staged = await releases.store.stage();
  try {
    await receiveRelease(body, staged, limits);
    await isStillAllowed?.();
  } catch (error) {
    await releases.store.discard(staged);
    if (error instanceof BadArchive) return refuse('invalid', error.message);
    throw error;
  }
  return publishRelease(releases, staged, { ...options, at: releases.now() });
}

/** What became of a release that was brought. */
export type Published = PublishedAnswer | Refused;

export interface PublishOptions {
  /** The unit and version that the sender named. The release has to be that one. */
  expected?: { unit: string; version: string };
  /** Whether to do everything but keep the release. */
  isRehearsal?: boolean;
  /**
   * Whether the caller makes it stable next, together with others. Then that move judges whether all of them fit, so a
   * change of the host API can reach all units at once. Its pages are rendered when it is served.
   */
  isMovedNext?: boolean;
  /** The pages that visitors have and that the release may take away. Without a list it may take all. */
  removePages?: readonly string[];
}

/**
 * Publishes the release that lies in a folder of the store. It is the only way into the registry. A release of which a
 * page throws is refused, and one that is too heavy for the site. The release is served to nobody before a channel names
 * it. Killed at any point, this leaves a registry that does not know the release, and the same call succeeds later.
 *
 * A version that is published already is not changed. When it comes again with the same content, its archive and files
 * that the store has lost are mended.
 * @param staged a folder from `store.stage()`; it is gone afterwards
 */
export async function publishRelease(
  { db, store, prerendering }: Pick<Releases, 'db' | 'store' | 'prerendering'>,
  staged: string,
  { by, at, expected, isRehearsal = false, isMovedNext = false, removePages }: Act & PublishOptions,
): Promise<Published> {
  try {
    const read = await readStaged(staged);
    if (!read.isOk) return refuse('invalid', ...read.problems);

    const { release, manifest, bytes } = read;
    const { unit, version } = release;
    if (expected && (expected.unit !== unit || expected.version !== version))
      return refuse('invalid', `release.json says ${unit}@${version}, not ${expected.unit}@${expected.version}`);

    const digest = createHash('sha256').update(manifest).digest('hex');
    const isKept = isRehearsal || (await store.examine(unit, version)).length === 0;
    if (!isRehearsal) await store.settle(staged);
    const tooHeavy = await findWeightProblems(release, staged);
    const isTried = !isMovedNext && tooHeavy.length === 0;
    const tried = isTried ? await tryPages({ db, prerendering }, release, staged) : NOTHING_SAID;
    if (tried.problems.length > 0) return refuse('invalid', ...tried.problems);

    const archive = isRehearsal || tooHeavy.length > 0 ? undefined : await packRelease(staged, release);
    const notices = [...tried.failures, ...(release.commit === null ? [NO_COMMIT] : [])];
    // A rehearsal changes nothing, so it waits for nobody.
    return await (isRehearsal ? transact : transactMove)(db, async (tx): Promise<Published> => {
      const known = await tx.releases.find(unit, version);
      if (known && known.digest !== digest)
        return refuse('exists', `${unit}@${version} is published already, with other content`);

      const changes = compareReleases(await findStable(tx, unit), release);
      if (known) {
        // Looked at again: who published the same meanwhile has kept it, and it may be served already.
        if (!isKept && (await store.examine(unit, version)).length > 0) await store.keep(staged, unit, version);
        // The archive in the database may be damaged as well.
        if (archive) {
          await tx.archives.remove(unit, version);
          await tx.archives.add(unit, version, archive);
        }
        return { outcome: 'unchanged', unit, version, changes, notices };
      }

      const { from, pages } = changes;
      const lost = removePages ? pages.removed.filter((path) => !removePages.includes(path)) : [];
      const problems = [
        ...tooHeavy,
        ...lost.map(
          (path) => `${path} is a page of ${from}, the stable one: name it with --remove-page if it is to go`,
        ),
        ...(await findReleaseProblems(tx, release, { isMovedNext })),
      ];
      if (problems.length > 0) return refuse('invalid', ...problems);
      if (isRehearsal) return { outcome: 'fit', unit, version, changes, notices };

      await store.keep(staged, unit, version);
      await tx.releases.add({ unit, version, manifest, digest, bytes, publishedAt: at, publishedBy: by });
      if (archive) await tx.archives.add(unit, version, archive);
      const removed = pages.removed.length === 0 ? {} : { removedPages: pages.removed.join(' ') };
      const detail = { unit, version, digest, by, ...removed };
      tx.record({ at, kind: 'release', code: 'published', subject: null, detail });
      return { outcome: 'published', unit, version, changes, notices };
    });
  } finally {
    await store.discard(staged);
  }
}

const NOTHING_SAID = { problems: [], failures: [] };

const NO_COMMIT =
  'The release names no commit: it was built from changes that are not committed, or where git knows no commit.';

/** Renders the pages that a release brings. One that is refused for another reason, or known already, is not rendered. */
async function tryPages(
  { db, prerendering }: Pick<Releases, 'db' | 'prerendering'>,
  release: Release,
  staged: string,
): Promise<Awaited<ReturnType<typeof findThrowingPages>>> {
  if (!prerendering) return NOTHING_SAID;
  const repositories = createRepositories(db);
  if (await repositories.releases.find(release.unit, release.version)) return NOTHING_SAID;
  if ((await findReleaseProblems(repositories, release, { isMovedNext: false })).length > 0) return NOTHING_SAID;

  const served = await readServed(repositories);
  return findThrowingPages(prerendering, served, withRelease(served, release), new Map([[release, staged]]));
}

async function findStable({ channels, releases }: Repositories, unit: string): Promise<Release | undefined> {
  const stable = (await channels.find(unit))?.channel.stable;
  const row = stable ? await releases.find(unit, stable) : undefined;
  return row && parseJson(releaseSchema, row.manifest);
}

/** Says what a release would change, compared with the stable one of its unit, if there is one. */
export function compareReleases(stable: Release | undefined, release: Release): ReleaseChanges {
  const [before, after] = [hashesOf(stable), hashesOf(release)];
  const [pagesBefore, pagesAfter] = [pathsOf(stable), pathsOf(release)];
  const kept = [...after].filter((hash) => before.has(hash)).length;

  return {
    from: stable?.version ?? null,
    bytes: { before: bytesOf(stable), after: bytesOf(release) },
    contract: { before: stable?.contract.version ?? null, after: release.contract.version },
    pages: {
      added: pagesAfter.filter((path) => !pagesBefore.includes(path)),
      removed: pagesBefore.filter((path) => !pagesAfter.includes(path)),
    },
    files: { added: after.size - kept, removed: before.size - kept, kept },
  };
}

/** Name and content of each file. */
function hashesOf(release: Release | undefined): Set<string> {
  return new Set(Object.entries(release?.files ?? {}).map(([name, { sha384 }]) => `${name} ${sha384}`));
}

function pathsOf(release: Release | undefined): string[] {
  return (release?.routes ?? []).map(({ path }) => path);
}

function bytesOf(release: Release | undefined): number {
  return Object.values(release?.files ?? {}).reduce((sum, { bytes }) => sum + bytes, 0);
}
