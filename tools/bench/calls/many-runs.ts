import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { repeatedly } from '../../../api/src/ops/progress.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How many days of each there are: a day less than the sweep leaves, so that it removes nothing. */
const RUN_DAYS = 89;
const ATTEMPT_DAYS = 29;
const STEPS = 6;

/** As long as a real key. */
const JWS = 'x'.repeat(420);

/** A token that reads the figures of the main app. */
export const STATS_TOKEN = `stats_${'b'.repeat(32)}`;

/** How much was made of the day before, which is not counted yet, and when that day begins; epoch milliseconds. */
export interface Uncounted {
  attempts: number;
  from: number;
}

/**
 * Makes a database as it is after three months with so many runs: attempts and keys of the last of them, and every day
 * counted but the last one. Two apps, six steps, four advertisers, and every way an attempt can end. No server may use
 * the database meanwhile, and it must be new.
 */
export async function makeManyRuns(file: string, runs: number): Promise<Uncounted> {
  const database = new DatabaseSync(file);
  // It is new, so it is made anew when something fails.
  for (const pragma of ['journal_mode = DELETE', 'journal_mode = OFF', 'synchronous = OFF', 'cache_size = -1000000'])
    database.exec(`pragma ${pragma}`);
  const indexes = database
    .prepare(`select name, sql from sqlite_master where type = 'index' and sql is not null`)
    .all() as { name: string; sql: string }[];
  const midnight = Date.now() - (Date.now() % DAY_MS);
  const statements = [
    ...indexes.map(({ name }) => `drop index ${name}`),
    ...describeRuns(runs, midnight),
    ...describeCounts(midnight),
    // Built at once an index takes a fraction of the time that it takes row by row.
    ...indexes.map(({ sql }) => sql),
    'analyze',
    'pragma journal_mode = WAL',
  ];
  await repeatedly(`${runs} runs`, statements.length, (nth) => {
    database.exec(statements[nth] ?? '');
    return Promise.resolve();
  });
  const from = midnight - DAY_MS;
  const { attempts } = database
    .prepare('select count(*) as attempts from step_attempt where issued_at >= ? and issued_at < ?')
    .get(from, midnight) as { attempts: number };
  database.close();
  return { attempts, from };
}

/** The statements that insert the runs and what belongs to them. All ids and hashes grow, so that each row is appended. */
function describeRuns(runs: number, midnight: number): string[] {
  const devices = Math.ceil(runs / 4);
  const withAttempts = Math.floor((runs * ATTEMPT_DAYS) / RUN_DAYS);
  const first = runs - withAttempts;
  const numbers = (count: number) =>
    `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)`;
  const id = (prefix: string, n: string) => `'01' || printf('%010x', ${n}) || '-${prefix}-abcdefghijkl'`;
  const created = (n: string) => `(${midnight - RUN_DAYS * DAY_MS} + ${n} * ${RUN_DAYS * DAY_MS} / ${runs})`;
  const run = `(${first} + (n - 1) / ${STEPS} + 1)`;
  const step = `((n - 1) % ${STEPS} + 1)`;
  const issued = `(${created(run)} + ${step} * 60000)`;
  const app = (n: string) => `case ${n} % 5 when 0 then 'companion' else 'main' end`;
  const device = (n: string) => id('device', `${n} % ${devices} + 1`);

  return [
    `insert into device (id, app_id, hwid_hmac, first_seen, last_seen)
     select ${id('device', 'n')}, 'main', ${id('hwid', 'n')}, ${midnight}, ${midnight} from ${numbers(devices)}`,
    `insert into run (id, app_id, device_id, zone_hmac, sealed_subject, os, steps_required, step, state, visitor_hmac, created_at, updated_at, expires_at, completed_at)
     select ${id('run', 'n')}, ${app('n')}, ${device('n')}, 'zone', '${'s'.repeat(110)}', 'android', ${STEPS}, ${STEPS}, 'completed', ${id('visitor', 'n')}, ${created('n')}, ${created('n')}, ${created('n')}, ${created('n')} from ${numbers(runs)}`,
    // Of a hundred attempts 80 are credited, 10 lost, 5 refused, 2 without an answer and 3 replaced.
    `insert into step_attempt (id, run_id, step, advertiser_id, token_hash, sealed_context, state, issued_at, not_before, expires_at, returned_at, verified_at, provider_ref)
     select ${id('attempt', 'n')}, ${id('run', run)}, ${step},
       case n % 4 when 0 then 'linkvertise' when 1 then 'workink' when 2 then 'lootlabs' else 'rinku' end,
       ${id('ticket', 'n')}, '${'c'.repeat(120)}',
       case when n * 7919 % 100 < 80 then 'verified' when n * 7919 % 100 < 90 then 'expired' when n * 7919 % 100 < 95 then 'rejected' when n * 7919 % 100 < 97 then 'expired' else 'superseded' end,
       ${issued}, ${issued}, ${issued} + 900000,
       case when n * 7919 % 100 < 80 or n * 7919 % 100 between 90 and 96 then ${issued} + 40000 end,
       case when n * 7919 % 100 < 80 then ${issued} + 40000 end,
       case when n * 7919 % 100 < 80 then ${id('proof', 'n')} end from ${numbers(withAttempts * STEPS)}`,
    `insert into access_key (jti, app_id, device_id, run_id, kid, jws, issued_at, expires_at)
     select ${id('key', 'n')}, ${app(`(${first} + n)`)}, ${device(`(${first} + n)`)}, ${id('run', `(${first} + n)`)}, 'past', '${JWS}', ${created(`(${first} + n)`)}, ${created(`(${first} + n)`)} + ${DAY_MS} from ${numbers(withAttempts)}`,
  ];
}

/** The statements for what is counted of the days before, and for the token that reads it. */
function describeCounts(midnight: number): string[] {
  const days = Array.from({ length: RUN_DAYS - 1 }, (_, nth) =>
    new Date(midnight - (nth + 2) * DAY_MS).toISOString().slice(0, 10),
  );
  const list = (column: string, values: readonly (string | number)[]) =>
    `(select value as ${column} from json_each('${JSON.stringify(values)}'))`;
  const apps = list('app', ['main', 'companion']);
  return [
    `insert into attempt_count (app_id, day, step, advertiser_id, sent, returned, credited, refused, lost)
     select app, day, step, advertiser, 20000, 17400, 16000, 1000, 2600
     from ${apps}, ${list('day', days)}, ${list('step', [1, 2, 3, 4, 5, 6])}, ${list('advertiser', ['linkvertise', 'workink', 'lootlabs', 'rinku'])}`,
    `insert into key_count (app_id, day, issued, withdrawn) select app, day, 80000, 10 from ${apps}, ${list('day', days)}`,
    `update counted_until set at = ${midnight - DAY_MS}`,
    `insert into stats_token (id, app_id, hash, label, created_at, created_by, expires_at)
     values ('bench', 'main', '${createHash('sha256').update(STATS_TOKEN).digest('hex')}', 'bench', 0, 'bench', ${midnight + 30 * DAY_MS})`,
  ];
}

/** Takes back what was counted since a moment, so that it is counted again. No server may use the database meanwhile. */
export function uncount(file: string, { from }: Uncounted): void {
  const database = new DatabaseSync(file);
  const day = new Date(from).toISOString().slice(0, 10);
  database.exec(`delete from attempt_count where day >= '${day}'; delete from key_count where day >= '${day}'`);
  database.exec(`update counted_until set at = ${from}`);
  database.close();
}
