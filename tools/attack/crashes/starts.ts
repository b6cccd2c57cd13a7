import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { killAtRandom, type KillOptions } from './kill-at-random.ts';
import { OLD_VERSIONS, openPostgresSites, openSqliteSites, type OldSites, type Rows } from './old-sites.ts';
import { launch } from '../world/own-server.ts';
import { createRandom } from '../world/random.ts';
import type { Settings } from '../../site/server.ts';

export interface StartReport {
  database: string;
  seed: number;
  kills: number;
  findings: { starts: string[] };
}

/** The result of a start: the database's shape and the duration, or why the start failed. */
type Start = { shape: unknown; ms: number } | { failure: string };

/**
 * Kills the server (SIGKILL) at random moments of its first start, and of starts that upgrade the database of an
 * earlier version. The next start has to succeed, with the same database as after an undisturbed start.
 */
export async function playStarts({ seed, kills, postgres }: KillOptions): Promise<StartReport> {
  const random = createRandom(seed).fork('starts');
  const folder = mkdtempSync(join(tmpdir(), 'starts-'));
  const sites = postgres ? await openPostgresSites(postgres.url) : await openSqliteSites(folder);
  const versions = [undefined, ...OLD_VERSIONS];

  try {
    const undisturbed = await start(sites, await sites.prepare(join(folder, 'undisturbed'), undefined));
    if ('failure' in undisturbed) throw new Error(undisturbed.failure);

    const starts = await killAtRandom(
      { title: `Starts, ${sites.name}`, random, kills, workMs: undisturbed.ms },
      async (round, afterMs) => {
        const from = versions[round % versions.length];
        const settings = await sites.prepare(join(folder, String(round)), from);
        const rows: Rows = from ? await sites.rowsIn(settings) : {};
        const killed = launch(settings);
        await wait(afterMs);
        await killed.end('SIGKILL');

        const next = await start(sites, settings);
        const problems: string[] = [];
        if ('failure' in next) problems.push(next.failure);
        else if (!isDeepStrictEqual(next.shape, undisturbed.shape))
          problems.push('its database is another than an undisturbed one');
        else if (!areKept(rows, await sites.rowsIn(settings))) problems.push('rows were lost or changed');
        await sites.drop(settings);
        return {
          what: `killed ${afterMs} ms into its start on a database ${from ? `as it was after ${from}` : 'that was not there'}`,
          workMs: 'ms' in next ? next.ms : undefined,
          problems,
        };
      },
    );
    return { database: sites.name, seed, kills, findings: { starts } };
  } finally {
    await sites.close();
    rmSync(folder, { recursive: true });
  }
}

/** Whether every row is there as it was. An upgrade may have added columns. */
function areKept(before: Rows, after: Rows): boolean {
  return Object.entries(before).every(([table, rows]) =>
    rows.every((row, nth) => isDeepStrictEqual({ ...after[table]?.[nth], ...row }, after[table]?.[nth])),
  );
}

/** Starts and stops `serversAtOnce` servers on a database, each with a folder of its own. */
async function start(sites: OldSites, settings: Settings): Promise<Start> {
  const startedAt = performance.now();
  const servers = Array.from({ length: sites.serversAtOnce }, (_, nth) =>
    launch({ ...settings, DATA_DIR: nth === 0 ? (settings['DATA_DIR'] ?? '') : `${settings['DATA_DIR']}-${nth}` }),
  );
  const urls = await Promise.all(servers.map(({ listening }) => listening));
  const ms = performance.now() - startedAt;
  const ends = await Promise.all(servers.map((server) => server.end('SIGTERM')));
  const failed = ends.find((_, nth) => urls[nth] === undefined);
  return failed
    ? { failure: `the next start ended with ${failed.code}: ${failed.said}` }
    : { shape: await sites.shapeOf(settings), ms };
}
