import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../../api/src/ops/progress.ts';
import type { Outage, Postgres, Site } from './outage.ts';
import { postgresOutages } from './postgres.ts';
import { SQLITE_OUTAGES } from './sqlite.ts';
import { launch } from '../world/own-server.ts';

export interface OutageReport {
  database: string;
  outages: string[];
  findings: { outages: string[] };
}

/**
 * Takes away what the server depends on: the write lock, the disk, the database server. Visitors have to get 503 with
 * Retry-After in time, never 500. The health check has to answer at once, and the server has to end cleanly.
 */
export async function playOutages({ postgres }: { postgres?: Postgres | undefined }): Promise<OutageReport> {
  const findings: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'outages-'));
  const outages = postgres ? postgresOutages(postgres) : SQLITE_OUTAGES;

  try {
    for (const [nth, outage] of counted(`Outages, ${postgres ? 'PostgreSQL' : 'SQLite'}`, [...outages.entries()])) {
      // The signing key in the folder has to match the one PostgreSQL database, so all outages share the folder.
      const DATA_DIR = join(folder, postgres ? 'data' : String(nth));
      await playOutage(outage, {
        own: { DATA_DIR, TEST_CAPTCHA_COST: '1', ...(postgres && { DATABASE_URL: postgres.url }) },
        folder,
        expect: (isSo, what) => void (isSo || findings.push(`${outage.name}: ${what}`)),
      });
    }
    return {
      database: postgres ? 'PostgreSQL' : 'SQLite',
      outages: outages.map(({ name }) => name),
      findings: { outages: findings },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function playOutage({ name, preload, play, afterwards }: Outage, given: Omit<Site, 'url' | 'server'>) {
  const server = launch(given.own, { preload: preload?.(given.folder) });
  try {
    const url = await server.listening;
    if (!url) throw new Error(`${name}: the server does not start: ${(await server.ended).said}`);

    const site = { ...given, url, server };
    await play(site);
    if (afterwards) await afterwards(site);
    else given.expect((await server.end('SIGTERM')).code === 0, 'it did not end cleanly');
  } finally {
    await server.end('SIGKILL');
  }
}
