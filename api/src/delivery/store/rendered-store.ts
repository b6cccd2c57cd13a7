import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KNOWN_DEVICES } from '@app/contracts/device-params';
import { SHELL, type Unit } from '@app/contracts/unit';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { openRegularFile } from './release-files.ts';

const PARTIAL_SUFFIX = '.rendered-part';

/** No other files are removed: by mistake, the setting may name a folder with other files. */
const FILE_NAME_PATTERN = /^([^+@]+@[^+]+\+[^+]+\+[0-9a-f]{32}\.json|[\w-]{12}\.rendered-part)$/;

/** Bytes. All pages of this site are 1.5 million. */
const MAX_FILE_BYTES = 50_000_000;

/** A file that was not read for so long is probably of a release that is no longer served. */
const UNUSED_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** Writing takes less than a second. Older parts were left by a process that was killed. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

const [NO_DEVICE, ...DEVICES] = KNOWN_DEVICES;

/** HTML by how much of a device the address names; what is the same as without a device is left out. */
export const pageHtmlSchema = v.object({
  [NO_DEVICE]: v.string(),
  ...v.entriesFromList(DEVICES, v.optional(v.string())),
});
export type PageHtml = v.InferOutput<typeof pageHtmlSchema>;

const pagesSchema = v.record(v.string(), pageHtmlSchema);
export type Pages = v.InferOutput<typeof pagesSchema>;

export interface RenderingName {
  unit: Unit;
  version: string;
  shellVersion: string;
  hash: string;
}

/** A file begins with the hash of its content, so that damage on the disk is noticed. */
export function openRenderedStore(folder: string) {
  /** One at a time: a start reads all of them, and each takes four times its size. */
  const limitReading = pLimit(1);

  return {
    /** Undefined when they do not exist, or are not as they were written. */
    async read(name: RenderingName): Promise<Pages | undefined> {
      const path = join(folder, fileNameOf(name));
      try {
        const pages = await limitReading(async () => {
          const file = await readOwnFile(path);
          const start = file.indexOf('\n') + 1;
          const content = file.subarray(start);
          return file.toString('utf8', 0, start) === `${hashOf(content)}\n`
            ? parseJson(pagesSchema, content.toString())
            : undefined;
        });
        if (pages === undefined) return undefined;
        const now = new Date();
        await utimes(path, now, now).catch(() => undefined);
        return pages;
      } catch {
        return undefined;
      }
    },

    /** Writes in one step. After a failure the pages are rendered again later. */
    async write(name: RenderingName, pages: Pages): Promise<void> {
      const part = join(folder, randomBytes(9).toString('base64url') + PARTIAL_SUFFIX);
      const content = JSON.stringify(pages);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(part, `${hashOf(content)}\n${content}`);
        await rename(part, join(folder, fileNameOf(name)));
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

/** Those not read for a week, and those that killed processes have left. Returns how many there were. */
export function removeUnused(folder: string): Promise<number> {
  return removeWhere(folder, async (path, name) => {
    const found = await stat(path).catch(() => undefined);
    return (
      found !== undefined &&
      found.mtimeMs < Date.now() - (name.endsWith(PARTIAL_SUFFIX) ? LEFTOVER_AGE_MS : UNUSED_TTL_MS)
    );
  });
}

/** A file that cannot be removed now is tried again later. */
async function removeWhere(
  folder: string,
  isGarbage: (path: string, name: string) => Promise<boolean>,
): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!FILE_NAME_PATTERN.test(name) || !(await isGarbage(path, name))) continue;
    // Without `recursive`, so that a folder of such a name stays.
    const isGone = await rm(path).then(
      () => true,
      () => false,
    );
    if (isGone) removed++;
  }
  return removed;
}

/** Its content is sent to visitors, and other users may be able to write to the folder. */
async function readOwnFile(path: string): Promise<Buffer> {
  const handle = await openRegularFile(path);
  try {
    const { size, uid } = await handle.stat();
    if (size > MAX_FILE_BYTES || uid !== process.getuid?.()) throw FOREIGN_FILE_ERROR;
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

const FOREIGN_FILE_ERROR = new Error('Not a file of rendered pages');

/** No version contains a plus, so that two names never make the same file. */
function fileNameOf({ unit, version, shellVersion, hash }: RenderingName): string {
  return `${unit}@${version}+${shellVersion}+${hash}.json`;
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
