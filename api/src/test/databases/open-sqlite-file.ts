import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { sqlite } from '#api/foundation/db/sqlite/sqlite.ts';

/** A database in a file that other programs can open too. Both are removed after the test. */
export async function openSqliteFile(): Promise<{ file: string; db: Db }> {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-file-'));
  const file = join(folder, 'a.sqlite');
  const db = withDialect(sqlite(file));
  onTestFinished(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true });
  });
  await migrate(db);
  return { file, db };
}
