import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const WORTH_IT = /\.(js|css|svg|json|txt)$/;
const SMALLEST_BYTES = 512;

/**
 * Writes a file compressed with Brotli and gzip beside it, at the highest level, so that the server need not compress
 * it for each request. Skips small files and files of other types.
 * @returns the paths of the written files
 */
export function compress(path: string): string[] {
  if (!WORTH_IT.test(path)) return [];

  const bytes = readFileSync(path);
  if (bytes.length < SMALLEST_BYTES) return [];

  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  return [`${path}.br`, `${path}.gz`];
}
