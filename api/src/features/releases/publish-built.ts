import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { releaseSchema, SHELL, type Release } from '@app/contracts/release';
import * as v from 'valibot';
import type { Db } from '#api/db/schema.ts';
import { createChannelsRepository } from './channels.repository.ts';
import { promoteRelease } from './promote-release.ts';
import { publishRelease } from './publish-release.ts';
import type { ReleaseStore } from './release-store.ts';

/** In the registry's name for whoever started the server on a new build. */
const STARTER = 'start';

interface Deps {
  db: Db;
  store: ReleaseStore;
  now: () => number;
  warn: (problem: string) => void;
}

/**
 * Publishes what was built in a folder, and makes it the stable releases. A unit whose channel a person has moved stays
 * as it is.
 * @param folder the folder of the build: `<folder>/<unit>/<version>/release.json`
 */
export async function publishBuilt({ db, store, now, warn }: Deps, folder: string): Promise<void> {
  const built = await listBuilt(folder);
  // The shell first: the others are checked against it.
  built.sort((a, b) => Number(b.release.unit === SHELL) - Number(a.release.unit === SHELL));

  for (const { release, path } of built) {
    const { unit, version } = release;
    const act = { by: STARTER, at: now() };
    const channel = (await createChannelsRepository(db).find(unit))?.channel;
    if (channel?.stable === version) continue;

    const published = await publishRelease({ db, store }, await stageBuilt(store, path, release), act);
    if (published.outcome === 'refused') {
      for (const problem of published.problems) warn(`${unit}@${version} is not served: ${problem}`);
      continue;
    }
    if (channel?.stable && channel.movedBy !== STARTER) {
      warn(
        `${unit}@${version} was built, but ${channel.movedBy ?? 'somebody'} has made ${channel.stable} the stable one`,
      );
      continue;
    }
    const moved = await promoteRelease({ db }, unit, version, act);
    if (moved.outcome === 'refused')
      for (const problem of moved.problems) warn(`${unit}@${version} was built, but is not the stable one: ${problem}`);
  }
}

async function listBuilt(folder: string): Promise<{ release: Release; path: string }[]> {
  const manifests = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    manifests
      .filter((entry) => entry.isDirectory())
      .map(async ({ name: unit }) => {
        const versions = await readdir(join(folder, unit));
        return Promise.all(versions.map((version) => readBuilt(join(folder, unit, version))));
      }),
  );
  return found.flat().filter((built) => built !== undefined);
}

async function readBuilt(path: string): Promise<{ release: Release; path: string } | undefined> {
  try {
    const text = await readFile(join(path, 'release.json'), 'utf8');
    return { release: v.parse(releaseSchema, JSON.parse(text)), path };
  } catch {
    // Not a release: the code of the server, or what a build has not finished.
    return undefined;
  }
}

async function stageBuilt(store: ReleaseStore, path: string, release: Release): Promise<string> {
  const staged = await store.stage();
  for (const name of Object.keys(release.files)) {
    await mkdir(dirname(join(staged, name)), { recursive: true });
    await copy(join(path, name), join(staged, name));
    for (const twin of ['br', 'gz'])
      await copy(join(path, `${name}.${twin}`), join(staged, `${name}.${twin}`)).catch(() => undefined);
  }
  await copy(join(path, 'release.json'), join(staged, 'release.json'));
  return staged;
}

/** Writes a file anew, for the server's own user alone. `copyFile` would give the copy the rights of the original. */
async function copy(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from));
}
