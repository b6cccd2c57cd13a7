import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KNOWN_DEVICES } from '@app/contracts/carried';
import { SHELL, type Unit } from '@app/contracts/release';
import * as v from 'valibot';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { openRegularFile } from './release-files.ts';

const PART = '.rendered-part';

/** Nothing else is removed: a setting names the folder, perhaps by mistake one with other files. */
const IS_OURS = /^([^+@]+@[^+]+\+[^+]+\+[0-9a-f]{32}\.json|[\w-]{12}\.rendered-part)$/;

/** Bytes. All pages of this site are 1.5 million. */
const LARGEST = 50_000_000;

/** What nobody has read for so long is probably of a release that is no longer served. */
const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

/** Writing takes less than a second. What is older was left by a process that was killed. */
const LEFTOVER_MS = 60 * 60 * 1000;

const [NO_DEVICE, ...DEVICES] = KNOWN_DEVICES;

/**
 * The HTML of a page by how much of a device its address names. What is the same as without a device is left out.
 */
export const pageHtmlSchema = v.object({
  [NO_DEVICE]: v.string(),
  ...v.entriesFromList(DEVICES, v.optional(v.string())),
});
export type PageHtml = v.InferOutput<typeof pageHtmlSchema>;

/** By path. */
const pagesSchema = v.record(v.string(), pageHtmlSchema);
export type Pages = v.InferOutput<typeof pagesSchema>;

/** What a rendering is made of: the names that its file has, and a hash of all of it. */
export interface RenderingName {
  unit: Unit;
  version: string;
  shellVersion: string;
  hash: string;
}

/** Keeps rendered pages on the disk, for the next start and for other processes of this machine. */
export interface RenderedStore {
  /** Undefined when they are not there, or not as they were written. */
  read: (name: RenderingName) => Promise<Pages | undefined>;
  /** Writes in one step. When it fails the pages are rendered again another time. */
  write: (name: RenderingName, pages: Pages) => Promise<void>;
}

/**
 * Opens the rendered pages of a store. A file begins with the hash of its content, because nothing else would notice that
 * a disk has changed it.
 * @param folder theirs alone. Nothing serves it, and all of it can be made again
 */
export function openRenderedStore(folder: string): RenderedStore {
  return {
    async read(name) {
      const path = join(folder, fileOf(name));
      try {
        const file = await readOwn(path);
        const end = file.indexOf('\n');
        const content = file.slice(end + 1);
        if (file.slice(0, end) !== hashOf(content)) return undefined;
        const now = new Date();
        await utimes(path, now, now).catch(() => undefined);
        return parseJson(pagesSchema, content);
      } catch {
        return undefined;
      }
    },

    async write(name, pages) {
      const part = join(folder, randomBytes(9).toString('base64url') + PART);
      const content = JSON.stringify(pages);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(part, `${hashOf(content)}\n${content}`);
        await rename(part, join(folder, fileOf(name)));
      } catch {
        await rm(part, { force: true }).catch(() => undefined);
      }
    },
  };
}

/** Removes the rendered pages of a release; of a shell: all pages in it. */
export function removeRendered(folder: string, unit: Unit, version: string): Promise<number> {
  const isOfRelease = (name: string) =>
    unit === SHELL ? name.includes(`+${version}+`) : name.startsWith(`${unit}@${version}+`);
  return removeWhere(folder, (_path, name) => Promise.resolve(isOfRelease(name)));
}

/** Removes what nobody has read for a week, and what killed processes have left. Returns how many files there were. */
export function removeUnused(folder: string): Promise<number> {
  return removeWhere(folder, async (path, name) => {
    const found = await stat(path).catch(() => undefined);
    return found !== undefined && found.mtimeMs < Date.now() - (name.endsWith(PART) ? LEFTOVER_MS : UNUSED_MS);
  });
}

/** What cannot be removed now is tried again another time. */
async function removeWhere(
  folder: string,
  isGarbage: (path: string, name: string) => Promise<boolean>,
): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!IS_OURS.test(name) || !(await isGarbage(path, name))) continue;
    // A folder of such a name is nobody's garbage, so it stays.
    const isGone = await rm(path).then(
      () => true,
      () => false,
    );
    if (isGone) removed++;
  }
  return removed;
}

/**
 * Reads a file that this user has written. What is read is sent to visitors, and others may be able to write to the folder.
 * @throws Error for what is no usual file, is of somebody else, or is too large
 */
async function readOwn(path: string): Promise<string> {
  const handle = await openRegularFile(path);
  try {
    const { size, uid } = await handle.stat();
    if (size > LARGEST || uid !== process.getuid?.()) throw NOT_OURS;
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

const NOT_OURS = new Error('Not a file of rendered pages');

/** A plus is in no version here, so nothing of two names is the same. */
function fileOf({ unit, version, shellVersion, hash }: RenderingName): string {
  return `${unit}@${version}+${shellVersion}+${hash}.json`;
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
