import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseSchema } from '@app/contracts/release';
import * as v from 'valibot';

/** `/tools/0.1.0/static/js/a.js`: unit, version and the file's name within the release. */
const ADDRESS = /^\/([a-z][a-z0-9-]*)\/(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)\/(.+)$/;
const SOURCE_MAP = /\.map$/;

interface Listing {
  mtimeMs: number;
  names: ReadonlySet<string>;
}

/**
 * Makes the test whether a path below `/releases` may be served: only files that a unit's `release.json` lists, without
 * source maps. The server's own code and the build's own files are not listed. A changed `release.json` is read again.
 * @param folder the folder of all releases
 */
export function createListedFiles(folder: string): (path: string) => Promise<boolean> {
  const listings = new Map<string, Listing>();

  async function list(path: string): Promise<ReadonlySet<string>> {
    const found = await stat(path).catch(() => undefined);
    if (!found) return new Set();

    const known = listings.get(path);
    if (known?.mtimeMs === found.mtimeMs) return known.names;

    const release = v.parse(releaseSchema, JSON.parse(await readFile(path, 'utf8')));
    const names = new Set(Object.keys(release.files).filter((name) => !SOURCE_MAP.test(name)));
    listings.set(path, { mtimeMs: found.mtimeMs, names });
    return names;
  }

  return async (path) => {
    const [, unit = '', version = '', name = ''] = ADDRESS.exec(path) ?? [];
    if (!unit) return false;

    return (await list(join(folder, unit, version, 'release.json'))).has(name);
  };
}
