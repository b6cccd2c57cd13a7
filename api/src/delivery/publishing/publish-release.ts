import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { PAGES } from '@app/contracts/pages';
import type { PublishedAnswer, ReleaseChanges } from '@app/contracts/registry';
import { PREVIEW_DAYS, HASHED_NAME, isPreview, releaseSchema, type Release } from '@app/contracts/release';
import { SHELL } from '@app/contracts/unit';
import { findThrowingPages, transactChange, type ChannelDeps } from '#api/delivery/channels/change-channels.ts';
import { createChannelsRepository, createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import {
  findCompatibilityProblems,
  readServed,
  type RegistryRepositories,
  withRelease,
} from '#api/delivery/registry/compatibility.ts';
import { refuse, type Refusal } from '#api/delivery/registry/refused.ts';
import type { Prerendering } from '#api/delivery/rendering/prerendering.ts';
import type { EntryTrial } from '#api/delivery/rendering/try-entry.ts';
import { removeReleases } from './collect-garbage.ts';
import { BadArchive, packRelease, receiveRelease, type ReceiveLimits } from '#api/delivery/store/release-archive.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import { readStylesInThread } from '#api/delivery/store/read-styles.ts';
import { findStyleProblems, findWeightProblems, readStaged } from '#api/delivery/store/staged-release.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { bindRepositories, transact } from '#api/foundation/audit/transact.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';

const REPOSITORIES = { channels: createChannelsRepository, releases: createReleasesRepository };

const NO_COMMIT_NOTICE =
  'The release names no commit: it was built from changes that are not committed, or where git knows no commit.';

const NO_FINDINGS = { problems: [], notices: [] };

export interface PublishDeps extends ChannelDeps {
  store: ReleaseStore;
  prerendering?: Pick<Prerendering, 'renderPairs' | 'tryEntry'> | undefined;
}

const MAX_PREVIEWS = 20;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface PublishedPreview {
  page: string;
  until: number;
}

export type PublishResult = (Omit<PublishedAnswer, 'preview'> & { preview?: PublishedPreview }) | Refusal;

export interface PublishOptions {
  expected?: { unit: string; version: string };
  dryRun?: boolean;
  /**
   * Whether the caller makes the release stable next, together with others. That change then judges whether all of them
   * fit, so that a change of the host API can reach all units at once. The pages are rendered when they are served.
   */
  isPromotedNext?: boolean;
  /** The pages that visitors have and that the release may remove. Without a list it may remove all. */
  removePages?: readonly string[];
  previewDays?: number;
}

/** @param isStillAllowed called once everything has arrived; throws when the sender may no longer publish */
export async function publishArchive(
  { now, ...deps }: PublishDeps & { now: () => number },
  body: Readable,
  options: Pick<Act, 'by'> & PublishOptions,
  { limits, isStillAllowed }: { limits?: ReceiveLimits | undefined; isStillAllowed?: () => Promise<void> } = {},
): Promise<PublishResult> {
  const staged = await deps.store.stage();
  try {
    await receiveRelease(body, staged, limits);
    await isStillAllowed?.();
  } catch (error) {
    await deps.store.discard(staged);
    if (error instanceof BadArchive) return refuse('invalid', error.message);
    throw error;
  }
  return publishRelease(deps, staged, { ...options, at: now() });
}

/**
 * Publishes the release that lies in a folder of the store. It is the only way into the registry. A release is refused
 * when its entry registers no container, one of its pages throws, it is too heavy for the site, or it styles pages of
 * others. No visitor gets it before a channel names it.
 * Killed at any point, this leaves a registry that does not know the release, and the same call succeeds later.
 *
 * A version that is published already is not changed. When it comes again with the same content, its archive and files
 * that the store has lost are repaired.
 * @param staged a folder from `store.stage()`; it is removed afterwards
 */
export async function publishRelease(
  { db, store, prerendering }: PublishDeps,
  staged: string,
  { by, at, expected, dryRun = false, isPromotedNext = false, removePages, previewDays }: Act & PublishOptions,
): Promise<PublishResult> {
  try {
    const read = await readStaged(staged);
    if (!read.isOk) return refuse('invalid', ...read.problems);

    const { release, manifest, bytes } = read;
    const { unit, version } = release;
    if (expected && (expected.unit !== unit || expected.version !== version))
      return refuse('invalid', `release.json says ${unit}@${version}, not ${expected.unit}@${expected.version}`);

    const digest = createHash('sha256').update(manifest).digest('hex');
    const isKept = dryRun || (await store.examine(unit, version)).length === 0;
    if (!dryRun) await store.settle(staged);
    const unfit = [
      ...(await findWeightProblems(release, staged)),
      ...(await findStyleProblems(release, staged, readStylesInThread)),
    ];
    const isRendered = !isPromotedNext && unfit.length === 0;
    const found = isRendered ? await tryEntryOf({ db, store, prerendering }, release, staged) : NO_FINDINGS;
    if (found.problems.length > 0) return refuse('invalid', ...found.problems);

    const archive = dryRun || unfit.length > 0 ? undefined : await packRelease(staged, release);
    const notices = [...found.notices, ...(release.commit === null ? [NO_COMMIT_NOTICE] : [])];
    // A dry run changes nothing, so it does not wait for changes.
    const inTransaction = dryRun
      ? transact<typeof REPOSITORIES, PublishResult>
      : transactChange<typeof REPOSITORIES, PublishResult>;
    const preview = isPreview(version)
      ? { page: release.routes[0]?.path ?? PAGES.home, until: at + (previewDays ?? PREVIEW_DAYS.usual) * DAY_MS }
      : undefined;
    const answer = { unit, version, notices, ...(preview && { preview }) };
    return await inTransaction(db, REPOSITORIES, async (tx): Promise<PublishResult> => {
      const known = await tx.releases.find(unit, version);
      const isSame = known?.digest === digest;
      if (known && !isSame && stripCommit(known.manifest) !== stripCommit(manifest))
        return refuse('exists', `${unit}@${version} is published already, with other content: raise the version`);

      const changes = compareReleases(await findStableRelease(tx, unit), release);
      // The same content from a later commit: it keeps the one with which it was published.
      if (known && !isSame) return { outcome: 'unchanged', ...answer, changes };
      if (known) {
        // Examined again: a concurrent publication of the same release has kept it, and visitors may have it already.
        if (!isKept && (await store.examine(unit, version)).length > 0) await store.keep(staged, unit, version);
        // The archive in the database may be damaged as well.
        if (archive) {
          await tx.releases.removeArchive(unit, version);
          await tx.releases.addArchive(unit, version, archive);
        }
        if (preview && !dryRun) await tx.releases.markPinned(unit, version, preview.until);
        return { outcome: 'unchanged', ...answer, changes };
      }

      const { from, pages } = changes;
      // A preview removes nothing.
      const lost = removePages && !preview ? pages.removed.filter((path) => !removePages.includes(path)) : [];
      const problems = [
        ...unfit,
        ...lost.map(
          (path) => `${path} is a page of ${from}, the stable one: name it with --remove-page if it is to go`,
        ),
        ...(await findNameClashes(tx, release)),
        ...(await findCompatibilityProblems(tx, release, { isPromotedNext })),
      ];
      if (problems.length > 0) return refuse('invalid', ...problems);
      if (dryRun) return { outcome: 'fit', ...answer, changes };

      await store.keep(staged, unit, version);
      await tx.releases.add({ unit, version, manifest, digest, bytes, publishedAt: at, publishedBy: by });
      if (archive) await tx.releases.addArchive(unit, version, archive);
      const removed = pages.removed.length === 0 ? {} : { removedPages: pages.removed.join(' ') };
      const detail = { unit, version, digest, by, ...removed };
      tx.record({ at, kind: 'release', code: 'published', subject: null, detail });
      if (preview) {
        await tx.releases.markPinned(unit, version, preview.until);
        // The sweep removes their files, on every server.
        await removeReleases(tx, (await tx.releases.listPreviews(unit)).slice(MAX_PREVIEWS), { by, at });
      }
      return { outcome: 'published', ...answer, changes };
    });
  } finally {
    await store.discard(staged);
  }
}

function stripCommit(manifest: string): string {
  return JSON.stringify({ ...(JSON.parse(manifest) as object), commit: null });
}

/** Hashed names are served without a version, so each stands for one content in all releases of the unit. */
async function findNameClashes({ releases }: RegistryRepositories, release: Release): Promise<string[]> {
  const earlier = (await releases.list(release.unit)).map(({ manifest }) => parseJson(releaseSchema, manifest));
  return Object.entries(release.files).flatMap(([name, { sha384 }]) => {
    const other = earlier.find(({ files }) => files[name] && files[name].sha384 !== sha384);
    return other && HASHED_NAME.test(name)
      ? `${name} has other content in ${other.version}: a name with a hash stands for one content`
      : [];
  });
}

/** Tries the entry of a release and renders its pages, unless it is known already or refused for another reason. */
async function tryEntryOf(
  { db, store, prerendering }: PublishDeps,
  release: Release,
  staged: string,
): Promise<EntryTrial> {
  if (!prerendering) return NO_FINDINGS;
  const repositories = bindRepositories(db, REPOSITORIES);
  if (await repositories.releases.find(release.unit, release.version)) return NO_FINDINGS;
  if ((await findCompatibilityProblems(repositories, release, { isPromotedNext: false })).length > 0)
    return NO_FINDINGS;

  const served = await readServed(repositories);
  const [shell] = served.get(SHELL) ?? [];
  const shellFolder = shell && join(store.folder, SHELL, shell.version);
  const entry =
    shell && shellFolder && release.unit !== SHELL
      ? await prerendering.tryEntry?.({ release, folder: staged }, { release: shell, folder: shellFolder })
      : undefined;
  if (entry && entry.problems.length > 0) return entry;

  const after = withRelease(served, release);
  const { problems, failures } = await findThrowingPages(prerendering, served, after, new Map([[release, staged]]));
  return { problems, notices: [...(entry?.notices ?? []), ...failures] };
}

async function findStableRelease({ channels, releases }: RegistryRepositories, unit: string) {
  const stable = (await channels.find(unit))?.channel.stable;
  const row = stable ? await releases.find(unit, stable) : undefined;
  return row && parseJson(releaseSchema, row.manifest);
}

function compareReleases(stable: Release | undefined, release: Release): ReleaseChanges {
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

function hashesOf(release: Release | undefined): Set<string> {
  return new Set(Object.entries(release?.files ?? {}).map(([name, { sha384 }]) => `${name} ${sha384}`));
}

function pathsOf(release: Release | undefined): string[] {
  return (release?.routes ?? []).map(({ path }) => path);
}

function bytesOf(release: Release | undefined): number {
  return Object.values(release?.files ?? {}).reduce((sum, { bytes }) => sum + bytes, 0);
}
