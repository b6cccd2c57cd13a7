import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Release } from '../../shared/contracts/src/release.ts';

const COMPRESSIBLE_PATTERN = /\.(js|css|svg|json|txt)$/;
const MIN_COMPRESSED_BYTES = 512;

/** Replaces `release.json` by a rename, so that a reader finds the old one or the new one. */
export function writeRelease(folder: string, release: Release): void {
  writeFileSync(join(folder, 'release.json.part'), `${JSON.stringify(release, null, 2)}\n`);
  renameSync(join(folder, 'release.json.part'), join(folder, 'release.json'));
}

export function listFiles(folder: string, names: readonly string[]): Release['files'] {
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const bytes = readFileSync(join(folder, name));
      return [name, { sha384: createHash('sha384').update(bytes).digest('base64'), bytes: bytes.length }];
    }),
  );
}

/**
 * Writes a file compressed with Brotli and gzip beside it, at the highest level, so that the server need not compress
 * it for each request. Skips small files and files of other types.
 * @returns the paths of the written files
 */
export function compressFile(path: string): string[] {
  if (!COMPRESSIBLE_PATTERN.test(path)) return [];

  const bytes = readFileSync(path);
  if (bytes.length < MIN_COMPRESSED_BYTES) return [];

  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  return [`${path}.br`, `${path}.gz`];
}
