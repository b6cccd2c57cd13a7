import { setTimeout as wait } from 'node:timers/promises';
import { leave } from '../attack/players/finish-run.ts';
import type { Player } from '../attack/players/player.ts';
import type { World } from '../attack/world/world.ts';
import { withPostgres } from '../machine/postgres.ts';
import { newPlayers, openSite, rateOf } from './calls.ts';
import { familyMs, processorMs, residentKb } from './processors.ts';
import type { Row } from './table.ts';

/** How many requests a server has at once. */
const AT_ONCE = 16;
const DEVICES = 300;
const STEPS = 6;
const HOUR_MS = 60 * 60 * 1000;
/** How many runs are really played before bytes are counted. */
const PLAYED = 100;

/**
 * The columns of each table of a run that differ in every copy. Ids keep their length and grow with each copy, as real
 * ids grow with time; the rest is scattered, as hashes are.
 */
const TABLES_OF_A_RUN: Record<string, { ids: readonly string[]; hashes: readonly string[] }> = {
  device: { ids: ['id'], hashes: ['hwid_hmac'] },
  captcha_pass: { ids: ['id'], hashes: ['hwid_hmac', 'token_hash', 'visitor_hmac', 'ip_hmac'] },
  run: { ids: ['id', 'device_id'], hashes: ['zone_hmac', 'visitor_hmac', 'ip_hmac'] },
  step_attempt: { ids: ['id', 'run_id'], hashes: ['token_hash', 'provider_ref', 'visitor_hmac', 'ip_hmac'] },
  access_key: { ids: ['jti', 'device_id', 'run_id'], hashes: [] },
  audit_event: { ids: ['subject'], hashes: ['hash'] },
};

/**
 * Measures what a call costs the server and PostgreSQL, and how many bytes a run takes: the tables of docs/capacity.md.
 * @param runs for how many runs the bytes are counted
 * @param print called for each table as soon as it is there
 */
export async function benchCost(runs: number, print: (title: string, rows: Row[]) => void): Promise<void> {
  for (const [when, ageMs] of Object.entries({ 'for each run': 0, 'a day after it': 25 * HOUR_MS }))
    await withSite(async (site) => {
      print(`Bytes ${when}, over ${runs} runs`, await measureSizes(site, runs, ageMs));
    });
  await withSite(async (site) => {
    const residentMb = () => Math.round(residentKb(site.server.pid() ?? 0) / 1024);
    const idle = residentMb();
    print(`What a call costs: ${AT_ONCE} at a time, on PostgreSQL`, await measureCalls(site));
    print('Memory of the server, in MB', [{ idle, 'after these calls': residentMb() }]);
  });
}

/** Starts a site with a PostgreSQL of its own. */
function withSite(use: (site: World) => Promise<void>): Promise<void> {
  return withPostgres(async (postgres) => {
    const site = await openSite({ postgres });
    try {
      await use(site);
    } finally {
      await site.close();
    }
  });
}

/** The phases of a run, each made by all devices before the next one. */
async function playPhases(site: World, measure: (call: string, calls: (() => Promise<unknown>)[]) => Promise<void>) {
  const players = newPlayers(site, DEVICES);
  const links = new Map<Player, string>();
  const startStep = async (player: Player, step?: number) => links.set(player, await leave(player, { step }));
  const phases: Record<string, (player: Player) => Promise<unknown>> = {
    'page of a step': () => site.client.ask('/key-system-1'),
    'captcha (2 calls)': (player) => player.passCaptcha(),
    'step start that opens a run': (player) => startStep(player),
    return: async (player) => player.comeBack(await site.advertisers.finish(links.get(player) ?? '')),
    'step start': (player) => startStep(player, 2),
    state: (player) => player.state(),
    key: (player) => player.key(),
  };
  for (const [call, play] of Object.entries(phases)) await measure(call, calls(players, play));
}

/** What one call costs: milliseconds of a processor in the server and in PostgreSQL. */
async function measureCalls(site: World): Promise<Row[]> {
  const postgresPid = await findPostmaster(site);
  const rows: Row[] = [];
  for (let warmUps = 0; warmUps < 2; warmUps++)
    await playPhases(site, async (_call, all) => void (await rateOf(all, AT_ONCE)));
  await playPhases(site, async (call, all) => {
    const before = { server: processorMs(site.server.pid() ?? 0), postgres: familyMs(postgresPid) };
    const perSecond = await rateOf(all, AT_ONCE);
    const serverMs = (processorMs(site.server.pid() ?? 0) - before.server) / all.length;
    const postgresMs = (familyMs(postgresPid) - before.postgres) / all.length;
    rows.push({ call, perSecond, serverMs, postgresMs, perCoreOfServer: Math.round(1000 / serverMs) });
  });
  return rows;
}

/**
 * The bytes of each table and its indexes for one run of six steps, with its captcha, key and audit. Some runs are
 * played, the others are copies of them.
 * @param ageMs how long after the runs the sweeper has been last
 */
async function measureSizes(site: World, runs: number, ageMs: number): Promise<Row[]> {
  const before = await readSizes(site);
  await rateOf(
    calls(newPlayers(site, PLAYED), async (player) => {
      await player.passCaptcha();
      for (let step = 1; step <= STEPS; step++) await player.takeStep({ step });
    }),
    AT_ONCE,
  );
  // The audit is sealed a little later.
  while ((await site.database.rows('select 1 from audit_unsealed limit 1')).length > 0) await wait(100);
  if (ageMs > 0) {
    await site.moveClock(ageMs);
    while ((await site.database.rows('select 1 from step_attempt where ip_hmac is not null limit 1')).length > 0)
      await wait(100);
  }
  await site.server.stop();
  await copyRuns(site, Math.ceil(runs / PLAYED) - 1);
  const after = await readSizes(site);

  const rows = after.map(({ table, rows, tableBytes, indexBytes }) => {
    const old = before.find((size) => size.table === table) ?? { rows: 0, tableBytes: 0, indexBytes: 0 };
    return {
      table,
      rowsPerRun: (rows - old.rows) / runs,
      tableBytes: Math.round((tableBytes - old.tableBytes) / runs),
      indexBytes: Math.round((indexBytes - old.indexBytes) / runs),
    };
  });
  const grown = rows.filter(({ tableBytes, indexBytes }) => tableBytes + indexBytes > 0);
  const sum = (of: 'tableBytes' | 'indexBytes') => grown.reduce((total, row) => total + row[of], 0);
  return [...grown, { table: 'all', rowsPerRun: '', tableBytes: sum('tableBytes'), indexBytes: sum('indexBytes') }];
}

/**
 * Copies every run of a PostgreSQL so many times, with its device, captcha, attempts, key and audit. No server may use
 * the database meanwhile, and none can afterwards: the copied audit is no chain.
 */
async function copyRuns({ database }: Pick<World, 'database'>, copies: number): Promise<void> {
  for (const [table, { ids, hashes }] of Object.entries(TABLES_OF_A_RUN)) {
    const changes = [
      ...ids.map((column) => `'${column}', overlay(${column} placing to_hex(x'3000'::int + copy) from 4 for 4)`),
      ...hashes.map((column) => `'${column}', overlay(${column} placing substr(md5(copy::text), 1, 6) from 1 for 6)`),
      ...(table === 'audit_event' ? ["'seq', seq + copy * (select max(seq) from audit_event)"] : []),
    ];
    await database.write(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(old) || jsonb_build_object(${changes.join(', ')}))).*
       from generate_series(1, ${copies}) as copy, ${table} as old order by copy, ${ids[0]}`,
    );
  }
}

interface Size {
  table: string;
  rows: number;
  tableBytes: number;
  indexBytes: number;
}

async function readSizes({ database }: World): Promise<Size[]> {
  await database.write('vacuum analyze');
  const rows = await database.rows<Record<keyof Size, string>>(
    `select relname as table, reltuples as rows, pg_table_size(oid) as "tableBytes", pg_indexes_size(oid) as "indexBytes"
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc`,
  );
  return rows.map(({ table, rows, tableBytes, indexBytes }) => ({
    table,
    rows: Number(rows),
    tableBytes: Number(tableBytes),
    indexBytes: Number(indexBytes),
  }));
}

/** The id of PostgreSQL's main process, which has started all others. */
export async function findPostmaster({ database }: World): Promise<number> {
  const [row] = await database.rows<{ pid: string }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
  );
  return Number(row?.pid);
}

function calls(players: readonly Player[], call: (player: Player) => Promise<unknown>): (() => Promise<unknown>)[] {
  return players.map((player) => () => call(player));
}
