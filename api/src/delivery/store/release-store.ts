import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Unit } from '@app/contracts/unit';
import { EnvError } from '#api/foundation/settings/env.ts';
import { type IsListedFile, readStaged } from './staged-release.ts';
import { removeRendered, removeUnused } from './rendered-store.ts';

/** Releases lie in this folder while they come in. Its files are never served. */
const INCOMING_FOLDER = '.incoming';

/** Older folders are of dead processes. Another server may share the folder, so younger ones stay. */
const LEFTOVER_AGE_MS = 6 * 60 * 60 * 1000;

const MAX_CONCURRENT_FILES = 16;

export type ReleaseStore = Awaited<ReturnType<typeof openReleaseStore>>;

/**
 * Opens the files of releases: `<folder>/<unit>/<version>/`. The folder is created if needed; a kept release never changes.
 * @throws EnvError when it cannot be created
 */
export async function openReleaseStore(folder: string, renderedFolder = join(folder, '.rendered')) {
  await mkdir(join(folder, INCOMING_FOLDER), { recursive: true }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EnvError(`RELEASES_DIR: ${folder} cannot be used as a folder for releases (${why})`, { cause });
  });
  const pathOf = (unit: Unit, version: string) => join(folder, unit, version);

  return {
    folder,
    renderedFolder,

    async stage(this: void): Promise<string> {
      const staged = join(folder, INCOMING_FOLDER, randomBytes(9).toString('base64url'));
      // Recursive, because an operator may have removed the folder around it.
      await mkdir(staged, { recursive: true });
      return staged;
    },

    settle: syncTree,

    /** Replaces a folder in its place: a killed publication has left it, or it has lost files. */
    async keep(this: void, staged: string, unit: Unit, version: string): Promise<void> {
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

    discard: (staged: string): Promise<void> => rm(staged, { recursive: true, force: true }),

    /** What is wrong with the files of a kept release, a sentence each. */
    async examine(unit: Unit, version: string, isListed?: IsListedFile): Promise<string[]> {
      const read = await readStaged(pathOf(unit, version), true, isListed);
      return read.isOk ? [] : read.problems;
    },

    /** Removes the files of a release that the registry no longer knows, in one step, and its rendered pages. */
    async remove(unit: Unit, version: string): Promise<void> {
      await removeRendered(renderedFolder, unit, version);
      const leaving = join(folder, INCOMING_FOLDER, randomBytes(9).toString('base64url'));
      try {
        await rename(pathOf(unit, version), leaving);
      } catch (error) {
        if (isOneOf(error, ['ENOENT'])) return;
        throw error;
      }
      await rm(leaving, { recursive: true });
    },

    /** The releases that have a folder here, whether the registry knows them or not. */
    async listKept(): Promise<{ unit: Unit; version: string }[]> {
      const units = (await readdir(folder)).filter((name) => !name.startsWith('.'));
      const versions = units.map(async (unit) =>
        (await readdir(join(folder, unit)).catch(() => [])).map((version) => ({ unit, version })),
      );
      return (await Promise.all(versions)).flat();
    },

    /** Removes staged folders that dead processes have left, and unused rendered pages. Returns how many there were. */
    async removeLeftovers(this: void): Promise<number> {
      let removed = 0;
      for (const name of await readdir(join(folder, INCOMING_FOLDER))) {
        const path = join(folder, INCOMING_FOLDER, name);
        const found = await stat(path).catch(() => undefined);
        if (!found || found.mtimeMs > Date.now() - LEFTOVER_AGE_MS) continue;
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
    Array.from({ length: MAX_CONCURRENT_FILES }, async () => {
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

/** Whether the disk refused an operation: it is full, read-only or broken, or a folder is gone. */
export function isStoreFailure(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
