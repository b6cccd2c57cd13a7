import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Release, releaseSchema } from '@app/contracts/release';
import { SHELL } from '@app/contracts/unit';
import pLimit from 'p-limit';
import * as v from 'valibot';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';
import { createChannelsRepository, START_ACTOR } from '#api/delivery/registry/registry.repository.ts';
import { findNameProblem, PRECOMPRESSED_VARIANTS } from '#api/delivery/store/release-files.ts';
import { promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { publishRelease } from './publish-release.ts';
import { isStoreFailure, type ReleaseStore } from '#api/delivery/store/release-store.ts';
import { type IsListedFile, MAX_CONCURRENT_FILES } from '#api/delivery/store/staged-release.ts';
import { refuse, type Refusal } from '#api/delivery/registry/refused.ts';

interface Deps {
  db: Db;
  store: ReleaseStore;
  now: () => number;
  warn: (problem: string) => void;
  isListed?: IsListedFile | undefined;
}

interface BuiltRelease {
  release: Release;
  path: string;
  builtAtMs: number;
}

/**
 * Publishes the releases that were built in a folder, and makes them the stable ones: all units together, so that a
 * change of the host API reaches all of them at once. A unit whose channel a person has changed or locked stays as it
 * is. A release that cannot be served is passed to `warn`, and does not prevent the start.
 * @param folder the folder of the build: `<folder>/<unit>/<version>/release.json`
 */
export async function publishBuilt(deps: Deps, folder: string): Promise<void> {
  const { db, store, warn, isListed } = deps;
  const act = { by: START_ACTOR, at: deps.now() };
  const channels = new Map((await createChannelsRepository(db).list()).map(({ unit, channel }) => [unit, channel]));
  const wanted: Release[] = [];
  for (const { release, path } of await listBuilt(folder, warn)) {
    const { unit, version } = release;
    // Files that the store has lost are repaired from the build.
    if (channels.get(unit)?.stable === version && (await store.examine(unit, version, isListed)).length === 0) continue;

    const isPromotedNext = isSetByStart(channels.get(unit));
    const published = await stageBuilt(store, path, release)
      .then((staged) => publishRelease(deps, staged, { ...act, isPromotedNext }))
      .catch(describeDiskFailure);
    if (published.outcome === 'refused') warnOfProblems(warn, release, 'is not served', published.problems);
    else if (isPromotedNext) wanted.push(release);
    else if (channels.get(unit)?.stable !== version)
      warn(`${unit}@${version} was built, but ${describeChannel(channels.get(unit))}`);
  }

  if (wanted.length === 0) return;
  const together = await promoteReleases({ db }, wanted, act);
  if (together.outcome !== 'refused') return;
  // A release that does not fit prevents no other.
  for (const release of wanted) {
    const promoted = await promoteReleases({ db }, [release], act);
    if (promoted.outcome === 'refused')
      warnOfProblems(warn, release, 'was built, but is not the stable one', promoted.problems);
  }
}

/** The site serves what it has, also when its disk is full. */
function describeDiskFailure(error: unknown): Refusal {
  if (!isStoreFailure(error)) throw error;
  return refuse('invalid', `it cannot be written to the folder of releases: ${error.message}`);
}

function isSetByStart(channel: ChannelRow | undefined): boolean {
  return !channel || (channel.lockReason === null && (channel.movedBy ?? START_ACTOR) === START_ACTOR);
}

function describeChannel(channel: ChannelRow | undefined): string {
  if (channel && channel.lockReason !== null) return `${channel.lockedBy ?? 'an operator'} has locked the unit`;
  return `${channel?.movedBy ?? 'an operator'} has made ${channel?.stable ?? 'no release'} the stable one`;
}

function warnOfProblems(
  warn: Deps['warn'],
  { unit, version }: Release,
  what: string,
  problems: readonly string[],
): void {
  for (const problem of problems) warn(`${unit}@${version} ${what}: ${problem}`);
}

/** Lists the newest build of each unit, the shell first, because the others are checked against it. */
async function listBuilt(folder: string, warn: Deps['warn']): Promise<BuiltRelease[]> {
  const newest = new Map<string, BuiltRelease>();
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

/** Reads a built release; undefined for the code of the server, and for an unfinished build. */
async function readBuilt(path: string, warn: Deps['warn']): Promise<BuiltRelease | undefined> {
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

/** Copies the files of a release into the store. Missing ones are found when it is published. */
async function stageBuilt(store: ReleaseStore, path: string, release: Release): Promise<string> {
  const staged = await store.stage();
  const names = Object.keys(release.files).filter((name) => findNameProblem(name) === undefined);
  const forms = ['', ...Object.keys(PRECOMPRESSED_VARIANTS)];
  const all = ['release.json', ...names.flatMap((name) => forms.map((ending) => name + ending))];
  const limit = pLimit(MAX_CONCURRENT_FILES);
  // All copies have to end first: one that goes on would create the folder again.
  const copies = await Promise.allSettled(all.map((name) => limit(() => copy(join(path, name), join(staged, name)))));
  const failed = copies.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (!failed) return staged;

  await store.discard(staged);
  throw failed.reason;
}

/** Copies a file for the server's own user alone. `copyFile` would keep the permissions of the original. */
async function copy(from: string, to: string): Promise<void> {
  const content = await readFile(from).catch(() => undefined);
  if (!content) return;

  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, content);
}
