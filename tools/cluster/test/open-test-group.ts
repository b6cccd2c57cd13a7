import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabaseGroup } from '../database-group.ts';

/** Three PostgreSQL end, on a machine that may be busy. */
const CLOSING_MS = 60_000;

/** Opens a primary and two standbys for a test. */
export async function openTestGroup() {
  const folder = mkdtempSync(join(tmpdir(), 'group-'));
  // The user of PostgreSQL has a folder in it.
  chmodSync(folder, 0o711);
  const group = await openDatabaseGroup(folder);
  onTestFinished(async () => {
    await group.close();
    rmSync(folder, { recursive: true });
  }, CLOSING_MS);
  return { folder, group };
}
