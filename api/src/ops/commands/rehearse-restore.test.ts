import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDb } from '#api/foundation/db/open-db.ts';
import { buildProgram } from '#api/test/programs/build-program.ts';
import { insertLicence } from '#api/test/product/insert-licence.ts';
import { askForKey, verify } from '#api/test/product/key-calls.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { makePlace, makeSecrets, operate, startSite } from '#api/test/programs/rehearsed-site.ts';
import { HWID, passCaptcha, readState, walkRun, walkStep } from '#api/test/product/visitor-steps.ts';
import { dieWithParent } from '../../../../tools/machine/die-with-parent.mjs';

const PLAN_HWID = 'device-with-plan';
const OPEN_HWID = 'device-under-way';
const HOUR_MS = 60 * 60 * 1000;
const LATER_MS = 13 * HOUR_MS;

const server = process.env['TEST_DATABASE_URL'] || undefined;
const ENGINES = [
  { engine: 'SQLite', at: undefined },
  ...(server === undefined ? [] : [{ engine: 'PostgreSQL', at: server }]),
];

describe.each(ENGINES)('a loss of all data ($engine)', ({ at }) => {
  /** A site with a key, a plan and a run under way. */
  async function openSite() {
    const settings = { ...makeSecrets(), ...(await makePlace(at)) };
    const site = await startSite(settings);
    const { api } = site;
    await walkRun(api);
    await insertLicence(api.db, { hwids: [PLAN_HWID], startsAt: api.now() - HOUR_MS });
    await api.db.deleteFrom('accessKey').where('licenceId', 'is not', null).execute();
    const keys = {
      earned: (await askForKey(api)).key,
      planned: (await askForKey(api, `hwid=${PLAN_HWID}&zone=zone-1`)).key,
    };
    await passCaptcha(api, { hwid: OPEN_HWID });
    await walkStep(api, { hwid: OPEN_HWID });
    await site.anchor();
    return { ...site, settings, keys };
  }

  /** Starts the operator's command as a program of its own. */
  function startProgram(program: string, settings: Record<string, string>, ...argv: string[]): ChildProcess {
    const child = spawn(...dieWithParent(process.execPath, [program, ...argv]), {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  test('a backup of the running site restores all data', async () => {
    const { api, settings, keys, stop } = await openSite();
    const file = join(makeFolder(), 'copy');
    const isDone = { yes: false };
    const visitors = (async () => {
      for (let nth = 1; !isDone.yes; nth++) await walkRun(api, { hwid: `visitor-${String(nth)}` });
    })();
    const made = await operate(settings, 'backup', file);
    isDone.yes = true;
    await visitors;
    await stop();
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('found whole') as string, err: '' });

    const elsewhere = { ...settings, ...(await makePlace(at)) };
    const restored = await operate(elsewhere, 'restore', file);
    expect(restored).toMatchObject({
      code: 0,
      // What a visitor did within the last second may not be sealed in the backup.
      out: expect.stringMatching(/Its audit: Rows 1 to \d+ are whole;.* 1 anchors/) as string,
      err: '',
    });

    const { api: anew, anchor } = await startSite(elsewhere, api.now());
    expect(await verify(anew, keys.earned)).toMatchObject({ code: 'VALID' });
    expect(await verify(anew, keys.planned, { hwid: PLAN_HWID })).toMatchObject({ code: 'VALID' });
    expect(await readState(anew, { hwid: OPEN_HWID })).toMatchObject({ run: { step: 2 } });
    for (let step = 2; step <= 6; step++) await walkStep(anew, { hwid: OPEN_HWID, step });
    expect(await askForKey(anew, `hwid=${OPEN_HWID}&zone=zone-1`)).toMatchObject({ status: 'active' });
    anew.pass(LATER_MS);
    const next = (await askForKey(anew, `hwid=${PLAN_HWID}&zone=zone-1`)).key;
    expect(next).not.toBe(keys.planned);
    expect(await verify(anew, next, { hwid: PLAN_HWID })).toMatchObject({ code: 'VALID' });
    await anchor();
    // By then a day may have ended that for the machine's clock has not.
    const later = { ...elsewhere, TEST_CLOCK_OFFSET_MS: String(LATER_MS) };
    expect(await operate(later, 'audit', 'verify')).toMatchObject({ code: 0 });
  });

  test('a second restore succeeds when the first was killed', async () => {
    const { settings, keys, stop, api } = await openSite();
    const file = join(makeFolder(), 'copy');
    await operate(settings, 'backup', file);
    await stop();
    const elsewhere = { ...settings, ...(await makePlace(at)) };

    const program = await buildProgram('ops/main.ts');

    await killWithin(program, elsewhere, file);
    const again = startProgram(program, elsewhere, 'restore', file);
    const [code] = (await once(again, 'exit')) as [number];

    expect(code).toBe(0);
    const { api: anew } = await startSite(elsewhere, api.now());
    expect(await verify(anew, keys.earned, { hwid: HWID })).toMatchObject({ code: 'VALID' });
    expect(readdirSync(elsewhere.DATA_DIR).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  /** Kills a restore: on PostgreSQL while it waits for a table that another transaction is making, after it has made others. */
  async function killWithin(program: string, settings: Record<string, string>, file: string): Promise<void> {
    if (settings['DATABASE_URL'] === undefined) {
      const first = startProgram(program, settings, 'restore', file);
      const gone = once(first, 'exit');
      await expect
        .poll(() => existsSync(join(settings['DATA_DIR'] ?? '', 'server.lock')), { interval: 1, timeout: 15_000 })
        .toBe(true);
      first.kill('SIGKILL');
      await gone;
      return;
    }
    const db = openDb({ databaseUrl: settings['DATABASE_URL'], dataDir: '/nowhere', hasTimeouts: false });
    onTestFinished(() => db.destroy());
    await db
      .transaction()
      .execute(async (trx) => {
        await sql`create table run (id text)`.execute(trx);
        const first = startProgram(program, settings, 'restore', file);
        const gone = once(first, 'exit');
        const waiting = sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        await expect.poll(async () => (await waiting.execute(db)).rows[0]?.waiting, { timeout: 15_000 }).toBe(1);
        first.kill('SIGKILL');
        await gone;
        throw new Error('rolled back');
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'rolled back') throw error;
      });
  }
});
