import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { releaseSchema, SHELL, type Release } from '@app/contracts/release';
import pLimit from 'p-limit';
import * as v from 'valibot';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';
import { createChannelsRepository } from '#api/delivery/registry/channels.repository.ts';
import { findNameProblem, PRECOMPRESSED_VARIANTS } from '#api/delivery/store/release-files.ts';
import { promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { STARTER } from '#api/delivery/registry/releases.repository.ts';
import { publishRelease } from './publish-release.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import { FILES_AT_ONCE } from '#api/delivery/store/staged-release.ts';
import { refuse, type Refused } from '#api/delivery/registry/refused.ts';
import { isStoreFailure } from '#api/delivery/store/store-failure.ts';

interface Deps {
  db: Db;
  store: ReleaseStore;
  now: () => number;
  warn: (problem: string) => void;
}

interface Built {
  release: Release;
  path: string;
  builtAtMs: number;
}

/**
 * Publishes what was built in a folder, and makes it the stable releases: all units together, so that a change of the
 * host API reaches all of them at once. A unit whose channel a person has moved or locked stays as it is. What cannot be
 * served is told to `warn`, and stops nothing.
 * @param folder the folder of the build: `<folder>/<unit>/<version>/release.json`
 */
export async function publishBuilt(deps: Deps, folder: string): Promise<void> {
  const { db, store, warn } = deps;
  const act = { by: STARTER, at: deps.now() };
  const channels = new Map((await createChannelsRepository(db).list()).map(({ unit, channel }) => [unit, channel]));
  const wanted: Release[] = [];
  for (const { release, path } of await listBuilt(folder, warn)) {
    const { unit, version } = release;
    // Files that the store has lost are mended from the build.
    if (channels.get(unit)?.stable === version && (await store.examine(unit, version)).length === 0) continue;

    const isPromotedNext = isStartersOwn(channels.get(unit));
    const published = await stageBuilt(store, path, release)
      .then((staged) => publishRelease(deps, staged, { ...act, isPromotedNext }))
      .catch(describeDiskFailure);
    if (published.outcome === 'refused') warnOf(warn, release, 'is not served', published.problems);
    else if (isPromotedNext) wanted.push(release);
    else if (channels.get(unit)?.stable !== version)
      warn(`${unit}@${version} was built, but ${describe(channels.get(unit))}`);
  }

  if (wanted.length === 0) return;
  const together = await promoteReleases({ db }, wanted, act);
  if (together.outcome !== 'refused') return;
  // One that does not fit keeps no other back.
  for (const release of wanted) {
    const moved = await promoteReleases({ db }, [release], act);
    if (moved.outcome === 'refused') warnOf(warn, release, 'was built, but is not the stable one', moved.problems);
  }
}

/** The site serves what it has, also when the disk takes nothing more. */
function describeDiskFailure(error: unknown): Refused {
  if (!isStoreFailure(error)) throw error;
  return refuse('invalid', `it cannot be written to the folder of releases: ${error.message}`);
}

/** Whether nobody has moved or locked the channel of a unit but an earlier start. */
function isStartersOwn(channel: ChannelRow | undefined): boolean {
  return !channel || (channel.lockReason === null && (channel.movedBy ?? STARTER) === STARTER);
}

function describe(channel: ChannelRow | undefined): string {
  if (channel && channel.lockReason !== null) return `${channel.lockedBy ?? 'somebody'} has locked the unit`;
  return `${channel?.movedBy ?? 'somebody'} has made ${channel?.stable ?? 'no release'} the stable one`;
}

function warnOf(warn: Deps['warn'], { unit, version }: Release, what: string, problems: readonly string[]): void {
  for (const problem of problems) warn(`${unit}@${version} ${what}: ${problem}`);
}

/** Lists the newest build of each unit, the shell first: the others are checked against it. */
async function listBuilt(folder: string, warn: Deps['warn']): Promise<Built[]> {
  const newest = new Map<string, Built>();
  for (const unit of await listFolders(folder))
    for (const version of await listFolders(join(folder, unit))) {
      const built = await readBuilt(join(folder, unit, version), warn);
      const other = built && newest.get(built.release.unit);
      if (built && (!other || other.builtAtMs < built.builtAtMs)) newest.set(built.release.unit, built);
    }
  return [...newest.values()].sort((a, b) => Number(b.release.unit === SHELL) - Number(a.release.unit === SHELL));
}

async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Reads a release that was built; undefined for the code of the server, and for what a build has not finished. */
async function readBuilt(path: string, warn: Deps['warn']): Promise<Built | undefined> {
  const file = join(path, 'release.json');
  const found = await stat(file).catch(() => undefined);
  if (!found) return undefined;

  try {
    const release = v.parse(releaseSchema, JSON.parse(await readFile(file, 'utf8')));
    return { release, path, builtAtMs: found.mtimeMs };
  } catch {
    warn(`${file} is not the list of a release`);
    return undefined;
  }
}

/** Copies what is there of a release into the store. What is missing is found when it is published. */
async function stageBuilt(store: ReleaseStore, path: string, release: Release): Promise<string> {
  const staged = await store.stage();
  const names = Object.keys(release.files).filter((name) => findNameProblem(name) === undefined);
  const forms = ['', ...Object.keys(PRECOMPRESSED_VARIANTS)];
  const all = ['release.json', ...names.flatMap((name) => forms.map((ending) => name + ending))];
  const limit = pLimit(FILES_AT_ONCE);
  // All have to be over: a copy that goes on would put the folder back.
  const copies = await Promise.allSettled(all.map((name) => limit(() => copy(join(path, name), join(staged, name)))));
  const failed = copies.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (!failed) return staged;

  await store.discard(staged);
  throw failed.reason;
}

/** Writes a file anew, for the server's own user alone. `copyFile` would give the copy the rights of the original. */
async function copy(from: string, to: string): Promise<void> {
  const content = await readFile(from).catch(() => undefined);
  if (!content) return;

  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, content);
}
