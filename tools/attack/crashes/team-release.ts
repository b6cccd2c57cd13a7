import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../world/database.ts';
import { DAY_MS } from '../world/product.ts';

interface Manifest {
  entry: { file: string; globalName: string };
  files: Record<string, unknown>;
}

/**
 * Packs the built release of a unit under another version, without source maps and precompressed variants.
 * @returns the tar.gz that `PUT /api/releases/:unit/:version` takes, and the name of the entry in it
 */
export function packRelease(unit: string, version: string): { body: Uint8Array<ArrayBuffer>; entry: string } {
  const built = readdirSync(join('dist', unit)).find((name) => /^\d/.test(name));
  if (built === undefined) throw new Error(`${unit} is not built`);

  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    cpSync(join('dist', unit, built), folder, { recursive: true });
    const text = readFileSync(join(folder, 'release.json'), 'utf8');
    const { entry } = JSON.parse(text) as Manifest;
    // The name of the container has the version, so the entry has other content, and another hash in its name.
    const globalName = `${unit}__${version}`.replace(/[^A-Za-z0-9]/g, '_');
    const code = readFileSync(join(folder, entry.file), 'utf8').replaceAll(entry.globalName, globalName);
    const file = entry.file.replace(/\.[0-9a-f]{8}\./, `.${hashOf(code, 'hex').slice(0, 8)}.`);
    writeFileSync(join(folder, file), code);
    const manifest = JSON.parse(text.replaceAll(entry.file, file)) as Manifest;

    const names = Object.keys(manifest.files).filter((name) => !name.endsWith('.map'));
    const describeFile = (name: string) => {
      const content = readFileSync(join(folder, name));
      return [name, { sha384: hashOf(content), bytes: content.length }];
    };
    const release = {
      ...manifest,
      version,
      entry: { file, globalName, integrity: `sha384-${hashOf(code)}` },
      files: Object.fromEntries(names.map(describeFile)) as object,
    };
    writeFileSync(join(folder, 'release.json'), JSON.stringify(release));
    const how = ['-C', folder, '--format=ustar', '-cz', 'release.json', ...names];
    return { body: new Uint8Array(execFileSync('tar', how, { maxBuffer: 2 ** 28 })), entry: file };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function hashOf(content: string | Buffer, encoding: 'base64' | 'hex' = 'base64'): string {
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
