import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Unit } from '@app/contracts/release';
import { EnvError } from '#api/foundation/settings/env.ts';
import { readStaged } from './staged-release.ts';
import { removeRendered, removeUnused } from './rendered-store.ts';

/** In this folder releases lie while they come in. Nothing serves it. */
const INCOMING = '.incoming';

/**
 * What came in so long ago belongs to nobody: a publication takes half a minute. Another server may share the folder, so
 * younger ones stay.
 */
const LEFTOVER_MS = 6 * 60 * 60 * 1000;

/** How many files are brought to the disk at once. */
const AT_ONCE = 16;

/** Keeps the files of releases: `<folder>/<unit>/<version>/`. What was kept is never changed. */
export interface ReleaseStore {
  /** The folder of all releases, for whoever serves them. */
  folder: string;
  /** The folder of their rendered pages. */
  renderedFolder: string;
  /** Makes an empty folder for a release that comes in. */
  stage: () => Promise<string>;
  /** Brings the files of such a folder to the disk. */
  settle: (staged: string) => Promise<void>;
  /**
   * Keeps what lies in such a folder, in one step. What lies in its place goes: a killed publication has left it, or it
   * has lost files.
   */
  keep: (staged: string, unit: Unit, version: string) => Promise<void>;
  discard: (staged: string) => Promise<void>;
  /** Finds what is wrong with the files of a kept release, a sentence each. None: all are there, as they came. */
  examine: (unit: Unit, version: string) => Promise<string[]>;
  /**
   * Removes the files of a release, in one step, and its rendered pages. Only for a version that the registry does not
   * know any more.
   */
  remove: (unit: Unit, version: string) => Promise<void>;
  /** Removes what publications left that a dead process had begun, and rendered pages that nobody uses. Returns how many there were. */
  removeLeftovers: () => Promise<number>;
}

/**
 * Opens the store in a folder, which is made if needed.
 * @throws EnvError when it cannot be made
 */
export async function openReleaseStore(
  folder: string,
  renderedFolder = join(folder, '.rendered'),
): Promise<ReleaseStore> {
  await mkdir(join(folder, INCOMING), { recursive: true }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EnvError(`RELEASES_DIR: ${folder} cannot be used as a folder for releases (${why})`, { cause });
  });
  const pathOf = (unit: Unit, version: string) => join(folder, unit, version);

  return {
    folder,
    renderedFolder,

    async stage() {
      const staged = join(folder, INCOMING, randomBytes(9).toString('base64url'));
      // With the folder around it, which somebody may have tidied away.
      await mkdir(staged, { recursive: true });
      return staged;
    },

    settle: syncTree,

    async keep(staged, unit, version) {
      const path = pathOf(unit, version);
      await mkdir(dirname(path), { recursive: true });
      try {
        // A folder with files in it is not replaced.
        await rename(staged, path);
      } catch (error) {
        if (!isOneOf(error, ['ENOTEMPTY', 'EEXIST'])) throw error;
        await rename(path, `${staged}.left`);
        await rename(staged, path);
        await rm(`${staged}.left`, { recursive: true });
      }
      await syncPath(dirname(path));
      await syncPath(folder);
    },

    discard: (staged) => rm(staged, { recursive: true, force: true }),

    async examine(unit, version) {
      const read = await readStaged(pathOf(unit, version));
      return read.isOk ? [] : read.problems;
    },

    async remove(unit, version) {
      await removeRendered(renderedFolder, unit, version);
      const leaving = join(folder, INCOMING, randomBytes(9).toString('base64url'));
      try {
        await rename(pathOf(unit, version), leaving);
      } catch (error) {
        if (isOneOf(error, ['ENOENT'])) return;
        throw error;
      }
      await rm(leaving, { recursive: true });
    },

    async removeLeftovers() {
      let removed = 0;
      for (const name of await readdir(join(folder, INCOMING))) {
        const path = join(folder, INCOMING, name);
        const found = await stat(path).catch(() => undefined);
        if (!found || found.mtimeMs > Date.now() - LEFTOVER_MS) continue;
        await rm(path, { recursive: true, force: true });
        removed++;
      }
      return removed + (await removeUnused(renderedFolder));
    },
  };
}

async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = [...entries.map(({ parentPath, name }) => join(parentPath, name)), folder];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let path = paths.shift(); path !== undefined; path = paths.shift()) await syncPath(path);
    }),
  );
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
