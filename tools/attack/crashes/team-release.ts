import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Database } from '../world/database.ts';
import { DAY_MS } from '../world/product.ts';

const BLOCK = 512;

interface Manifest {
  entry: { file: string; globalName: string };
  files: Record<string, unknown>;
}

const SERVER_BUNDLE = 'server.cjs';

/**
 * Packs the built release of a unit under another version, without source maps and precompressed variants.
 * @param serverCode what is run before the code of its pages when they are rendered
 * @returns the tar.gz that `PUT /api/releases/:unit/:version` takes, and the name of the entry in it
 */
export function packRelease(
  unit: string,
  version: string,
  serverCode = '',
): { body: Uint8Array<ArrayBuffer>; entry: string } {
  const built = readdirSync(join('dist', unit)).find((name) => /^\d/.test(name));
  if (built === undefined) throw new Error(`${unit} is not built`);

  const folder = join('dist', unit, built);
  const text = readFileSync(join(folder, 'release.json'), 'utf8');
  const { entry: builtEntry } = JSON.parse(text) as Manifest;
  // The name of the container has the version, so the entry has other content, and another hash in its name.
  const globalName = `${unit}__${version}`.replace(/[^A-Za-z0-9]/g, '_');
  const code = readFileSync(join(folder, builtEntry.file), 'utf8').replaceAll(builtEntry.globalName, globalName);
  const file = builtEntry.file.replace(/\.[0-9a-f]{8}\./, `.${hashOf(code, 'hex').slice(0, 8)}.`);
  const manifest = JSON.parse(text.replaceAll(builtEntry.file, file)) as Manifest;

  const names = Object.keys(manifest.files).filter((name) => !name.endsWith('.map'));
  const contents = names.map((name): [string, Buffer] => {
    if (name === file) return [name, Buffer.from(code)];
    const content = readFileSync(join(folder, name));
    return [name, name === SERVER_BUNDLE ? Buffer.concat([Buffer.from(serverCode), content]) : content];
  });
  const release = {
    ...manifest,
    version,
    entry: { file, globalName, integrity: `sha384-${hashOf(code)}` },
    files: Object.fromEntries(
      contents.map(([name, content]) => [name, { sha384: hashOf(content), bytes: content.length }]),
    ),
  };
  const parts = [
    ...packFile('release.json', Buffer.from(JSON.stringify(release))),
    ...contents.flatMap(([name, content]) => packFile(name, content)),
  ];
  const tar = Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
  return { body: new Uint8Array(gzipSync(tar, { level: 1 })), entry: file };
}

function hashOf(content: string | Buffer, encoding: 'base64' | 'hex' = 'base64'): string {
  return createHash('sha384').update(content).digest(encoding);
}

export async function addToken(database: Pick<Database, 'write'>, unit: string): Promise<string> {
  const token = `deploy_${randomBytes(24).toString('base64url')}`;
  const hash = createHash('sha256').update(token).digest('hex');
  await database.write(
    `insert into deploy_token (id, unit, hash, label, created_at, created_by, expires_at)
     values ('${unit}', '${unit}', '${hash}', 'soak', 0, 'soak', ${Date.now() + DAY_MS})`,
  );
  return token;
}

/** A file of a tar in the format ustar. Source: POSIX.1-2017, pax, "ustar Interchange Format". */
function packFile(name: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}
