import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { type Release, SERVER_BUNDLE } from '@app/contracts/release';

/** No build makes longer names. */
const MAX_NAME_LENGTH = 200;

const NAME_PROBLEMS: readonly [RegExp, string][] = [
  [/^$/, 'is empty'],
  [/\p{Cc}/u, 'contains a control character'],
  [/\P{ASCII}/u, 'contains a character outside ASCII'],
  [/\\/, 'contains a backslash'],
  [/^\/|^[A-Za-z]:/, 'is an absolute path'],
  [/(^|\/)\.\.(\/|$)/, 'contains a part “..”'],
  [/(^|\/)\.(\/|$)/, 'contains a part “.”'],
  [/\/\/|\/$/, 'contains an empty part'],
  [/(^|\/)\./, 'contains a part that begins with a dot'],
  [/[^A-Za-z0-9._~@+/-]/, 'contains a character that no file name here has'],
];

/** Why a name is no relative path of plain parts, which stays in its folder and can be written into an address. */
export function findNameProblem(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return `is longer than ${MAX_NAME_LENGTH} characters`;
  return NAME_PROBLEMS.find(([pattern]) => pattern.test(name))?.[1];
}

/** The names of files in one folder, on any disk: also on one whose names are case-insensitive. */
export function createFileNames() {
  /** The spelling of each file and folder so far, by its spelling in small letters. */
  const spellings = new Map<string, { path: string; isFile: boolean }>();

  return {
    add(name: string): string | undefined {
      const problem = findNameProblem(name);
      if (problem) return problem;

      const parts = name.split('/');
      for (const [nth] of parts.entries()) {
        const path = parts.slice(0, nth + 1).join('/');
        const isFile = nth === parts.length - 1;
        const known = spellings.get(path.toLowerCase());
        if (known && known.path !== path) return `differs from ${known.path} in capitals only`;
        if (known && (known.isFile || isFile))
          return known.isFile && isFile ? 'is there twice' : `makes ${path} both a file and a folder`;
        spellings.set(path.toLowerCase(), { path, isFile });
      }
      return undefined;
    },
  };
}

/** Whether a file of a release is never sent: a source map, or the bundle that renders its pages. */
export function isForServer(name: string): boolean {
  return name.endsWith('.map') || name === SERVER_BUNDLE;
}

/** A name for a message: of a bounded length, with unusual characters escaped. */
export function quoteName(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return short.replaceAll(/[^\x20-\x7e…]/g, (character) =>
    JSON.stringify(character)
      .slice(1, -1)
      .replace(/^[^\\]/, escapeCharacter),
  );
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Refuses links, which could lead to other files, and pipes, which would block until somebody writes. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is no regular file`);
}

/** The text of a file of a release; undefined when it is missing, or differs from what was published. */
export async function readListedFile(folder: string, { files }: Release, name: string): Promise<string | undefined> {
  const bytes = await readFile(join(folder, name)).catch(() => undefined);
  const isListed = bytes && createHash('sha384').update(bytes).digest('base64') === files[name]?.sha384;
  return isListed ? bytes.toString('utf8') : undefined;
}

/** The precompressed variants that may lie beside a file of a release, by their endings, and what expands them. */
export const PRECOMPRESSED_VARIANTS: Readonly<Record<string, () => Transform>> = {
  '.gz': createGunzip,
  '.br': createBrotliDecompress,
};
