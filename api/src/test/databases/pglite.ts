import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')) as { version: string };
const SNAPSHOT = join(import.meta.dirname, `../../../node_modules/.cache/pglite-${version}.tar`);

/** An empty PostgreSQL in this process. Creating its files takes seconds, so they are created once and then copied. */
export async function openPglite(): Promise<PGlite> {
  const kept = await readFile(SNAPSHOT).catch(() => undefined);
  return kept ? new PGlite({ loadDataDir: new Blob([kept]) }) : makeSnapshot();
}

async function makeSnapshot(): Promise<PGlite> {
  const pglite = new PGlite();
  await pglite.waitReady;
  const data = await pglite.dumpDataDir('none');

  // Written to another file first, because other tests may be reading, or writing as well.
  await mkdir(dirname(SNAPSHOT), { recursive: true });
  const aside = `${SNAPSHOT}.${randomUUID()}`;
  await writeFile(aside, Buffer.from(await data.arrayBuffer()));
  await rename(aside, SNAPSHOT);
  return pglite;
}
