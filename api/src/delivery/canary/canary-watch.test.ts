import type { Request, Response } from 'express';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { buildRelease } from '#api/test/delivery/build-release.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { watchStatements } from '#api/test/databases/watch-statements.ts';
import { insertReleases } from '#api/test/delivery/insert-releases.ts';
import { createCanaryWatch } from './canary-watch.ts';
import { openCanary } from '#api/delivery/channels/channel-changes.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import { createReleaseSelector } from '#api/delivery/serving/release-selection.ts';
import { readAudit } from '#api/test/sealed.ts';

const DAY = 24 * 60 * 60 * 1000;
const TEN_PERCENT = 1000;
const UNIT = 'key-system';
const ENTRY = '/key-system/remoteEntry.aaaaaaaa.js';
const FAILURE_REPORT = { unit: UNIT, version: '1.5.0', failure: 'crashed' } as const;

/** A server with a canary of the key system at 10 %, and a clock that the test moves. */
async function openServer(db: Db, share = TEN_PERCENT) {
  await insertReleases(
    db,
    [
      buildRelease('shell'),
      buildRelease(UNIT, { version: '1.4.0' }),
      buildRelease(UNIT, { version: '1.5.0' }),
      buildRelease('tools'),
    ],
    {
      shell: { stable: '0.1.0' },
      tools: { stable: '0.1.0' },
      [UNIT]: { stable: '1.4.0', canary: '1.5.0', canaryShare: share, canarySince: T0 },
    },
  );
  return startServer(db);
}

async function startServer(db: Db) {
  let time = T0;
  const pseudonyms = createPseudonyms('a pepper that only this test has');
  const registry = await openRegistry(db);
  const halted: string[] = [];
  const watch = createCanaryWatch({
    db,
    registry,
    pseudonyms,
    addressOf: (req) => req.ip ?? '',
    warn: ({ reason }) => void halted.push(reason),
    now: () => time,
  });
  const select = createReleaseSelector({
    registry,
    pseudonyms,
    visitorCookie: { read: () => undefined },
    ensureVisitorCookie: () => 'browser',
    now: () => time,
  });
  const from = (network: number | string, url = '/') =>
    ({ ip: typeof network === 'number' ? addressIn(network) : network, url, headers: {} }) as Request;

  return {
    registry,
    watch,
    halted,
    from,
    pass: (ms: number) => void (time += ms),
    /** Opens a page of the key system. Returns whether it got the canary. */
    visit: async (nth: number): Promise<boolean> => {
      const req = from(nth, `/key-system-1?hwid=device-${String(nth)}`);
      const selection = await select(req, {} as Response);
      watch.noteSent(req, selection, UNIT);
      return selection.units.get(UNIT)?.source === 'canary';
    },
  };
}

/** An address of the nth network, which shares its holder with no other. */
function addressIn(nth: number): string {
  return `20.${String(nth >> 6)}.${String((nth & 63) * 4)}.1`;
}

/** The nth address of an IPv6 provider, each in a /48 of its own. */
function addressOf(provider: number, nth: number): string {
  return `2a0${String(provider)}:db8:${nth.toString(16)}::1`;
}

describeEachDatabase('a canary that halts itself', (db) => {
  const channel = () => db().selectFrom('channel').selectAll().where('unit', '=', UNIT).executeTakeFirstOrThrow();

  test.each([
    { failing: 1, what: 'every page' },
    { failing: 3, what: 'every third page' },
  ])('fails in $what, and is halted before 200 of 10 000 visitors got it', async ({ failing }) => {
    const { visit, watch, from, halted, registry } = await openServer(db());
    let met = 0;
    for (let nth = 0; nth < 10_000; nth++) {
      if (!(await visit(nth))) continue;
      met += 1;
      if (met % failing === 0) await watch.report(from(nth), FAILURE_REPORT);
    }

    expect(met).toBeGreaterThan(4);
    expect(met).toBeLessThan(200);
    expect(halted).toEqual([expect.stringMatching(/^It failed in \d+ of the \d+ networks that got it$/)]);
    expect(await channel()).toMatchObject({ stable: '1.4.0', canary: null, halted: '1.5.0', haltReason: halted[0] });
    expect(registry.snapshot().units.get(UNIT)?.canary).toBeUndefined();
    const [event, ...others] = await readAudit(db());
    expect([event?.code, others]).toEqual(['halted', []]);
    const { failed, served } = { ...event?.detail };
    expect(halted).toEqual([`It failed in ${String(failed)} of the ${String(served)} networks that got it`]);
  });

  test('threat 40: reports of one network halt no canary, even over many days', async () => {
    const { watch, from, pass } = await openServer(db());
    for (let day = 0; day < 8; day++) {
      for (let nth = 0; nth < 5; nth++) await watch.report(from('of the forger'), FAILURE_REPORT);
      pass(DAY);
    }

    expect(await channel()).toMatchObject({ canary: '1.5.0', halted: null });
  });

  test.each([1, 5])('threat 40: networks that report again after %i days count once', async (days) => {
    const { watch, from, pass } = await openServer(db());
    const reportAll = async () => {
      for (let nth = 0; nth < 4; nth++) await watch.report(from(nth), FAILURE_REPORT);
    };
    await reportAll();
    pass(days * DAY);
    await reportAll();

    expect(await channel()).toMatchObject({ canary: '1.5.0', halted: null });
  });

  test('threat 40: a handful of networks cannot halt a canary that many visitors loaded by in-page navigation', async () => {
    const { watch, from, pass } = await openServer(db());
    for (let nth = 0; nth < 100; nth++) watch.noteLoad({ ...from(nth), baseUrl: '/releases', path: ENTRY } as Request);
    for (let nth = 0; nth < 5; nth++) await watch.report(from(`forged ${String(nth)}`), FAILURE_REPORT);
    expect(await channel()).toMatchObject({ canary: '1.5.0' });

    // Neither other files nor other entries are loads of the canary.
    pass(3 * DAY);
    for (const path of ['/key-system/1.5.0/release.json', '/key-system/remoteEntry.bbbbbbbb.js'])
      for (let nth = 0; nth < 100; nth++) watch.noteLoad({ ...from(nth), baseUrl: '/releases', path } as Request);
    for (let nth = 0; nth < 5; nth++) await watch.report(from(`forged ${String(nth)}`), FAILURE_REPORT);
    expect(await channel()).toMatchObject({ canary: null, haltReason: 'It failed in 5 of the 5 networks that got it' });
  });

  test('threat 40: a handful of networks cannot halt a canary whose visitors come back every day', async () => {
    const { watch, visit, from, pass } = await openServer(db(), 10_000);
    for (let day = 0; day < 4; day++, pass(DAY)) {
      for (let nth = 0; nth < 100; nth++) await visit(nth);
      await watch.turn();
    }
    pass(-1);
    for (let nth = 0; nth < 5; nth++) await watch.report(from(`forged ${String(nth)}`), FAILURE_REPORT);

    expect(await channel()).toMatchObject({ canary: '1.5.0' });
  });

  test.each([
    {
      holder: 'an IPv6 /29',
      address: (nth: number) => `2001:db${(8 + (nth % 8)).toString(16)}:${String(nth)}::1`,
    },
    { holder: 'an IPv4 /22', address: (nth: number) => `203.0.${String(112 + (nth % 4))}.7` },
  ])('threat 40: the networks of $holder count as two at most, also over two days', async ({ address }) => {
    const { watch, from, pass } = await openServer(db());
    for (let day = 0; day < 2; day++, pass(DAY)) {
      for (let nth = 0; nth < 20; nth++) await watch.report(from(address(day * 20 + nth)), FAILURE_REPORT);
      for (let nth = 0; nth < 2; nth++) await watch.report(from(nth), FAILURE_REPORT);
    }
    pass(-DAY);
    expect(await channel()).toMatchObject({ canary: '1.5.0', halted: null });

    await watch.report(from(2), FAILURE_REPORT);
    expect(await channel()).toMatchObject({ canary: null, halted: '1.5.0' });
  });

  test('threat 40: no number of networks of one holder halts a canary that many visitors loaded', async () => {
    const { watch, visit, from } = await openServer(db(), 10_000);
    for (let nth = 0; nth < 30; nth++) await visit(nth);
    for (let nth = 0; nth < 20; nth++) await watch.report(from(addressOf(1, nth)), FAILURE_REPORT);
    for (let nth = 100; nth < 103; nth++) await watch.report(from(nth), FAILURE_REPORT);

    expect(await channel()).toMatchObject({ canary: '1.5.0', halted: null });
  });

  test('a canary that fails on every page is halted although all visitors come from three providers', async () => {
    const { watch, from, halted } = await openServer(db());
    let met = 0;
    while (halted.length === 0 && met < 100) {
      met += 1;
      await watch.report(from(addressOf(met % 3, met)), FAILURE_REPORT);
    }

    expect(met).toBe(5);
  });

  test('threat 40: concurrent reports are written and evaluated in one batch', async () => {
    let statements = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => (statements++, node),
      transformResult: ({ result }) => Promise.resolve(result),
    };
    await openServer(db());
    const { watch, from, halted } = await startServer(db().withPlugin(counting));
    statements = 0;

    await Promise.all(Array.from({ length: 200 }, (_, nth) => watch.report(from(nth), FAILURE_REPORT)));

    expect(halted).toHaveLength(1);
    expect(statements).toBeLessThan(50);
    const rows = await db().selectFrom('loadReport').select('kind').where('kind', '=', 'failed').execute();
    expect(rows).toHaveLength(200);
  });

  test('threat 40: reports about a version other than the canary do not halt it', async () => {
    const { watch, from } = await openServer(db());
    for (let nth = 0; nth < 20; nth++) {
      expect(await watch.report(from(nth), { ...FAILURE_REPORT, version: '1.4.0' })).toBe(true);
      expect(await watch.report(from(nth), { ...FAILURE_REPORT, unit: 'tools', version: '0.1.0' })).toBe(true);
      expect(await watch.report(from(nth), { ...FAILURE_REPORT, version: '9.9.9' })).toBe(false);
    }

    expect(await channel()).toMatchObject({ canary: '1.5.0' });
  });

  test('networks in which the stable release fails too are ignored for the canary', async () => {
    const { watch, visit, from } = await openServer(db(), 10_000);
    for (let nth = 0; nth < 20; nth++) await visit(nth);
    for (let nth = 0; nth < 8; nth++) {
      // A page tries the canary, and then the stable release.
      await watch.report(from(nth), FAILURE_REPORT);
      await watch.report(from(nth), { ...FAILURE_REPORT, version: '1.4.0' });
    }
    expect(await channel()).toMatchObject({ canary: '1.5.0', halted: null });

    for (let nth = 8; nth < 13; nth++) await watch.report(from(nth), FAILURE_REPORT);
    expect(await channel()).toMatchObject({ haltReason: 'It failed in 5 of the 20 networks that got it' });
  });

  test('a changed canary percentage does not reset the counts', async () => {
    const { watch, from } = await openServer(db());
    for (let nth = 0; nth < 4; nth++) await watch.report(from(nth), FAILURE_REPORT);
    await openCanary({ db: db() }, UNIT, { percent: 20 }, { by: 'ada', at: T0 + 1000 });
    await watch.report(from(4), FAILURE_REPORT);

    expect(await channel()).toMatchObject({ halted: '1.5.0' });
  });

  test('failures of the stable release before the canary was opened are ignored', async () => {
    const { watch, from, pass, registry } = await openServer(db());
    for (let nth = 0; nth < 5; nth++) await watch.report(from(nth), { ...FAILURE_REPORT, version: '1.4.0' });
    await watch.turn();
    pass(1000);
    await insertReleases(db(), [], { [UNIT]: { canary: '1.5.0', canaryShare: TEN_PERCENT, canarySince: T0 + 1000 } });
    await registry.refresh();
    for (let nth = 0; nth < 5; nth++) await watch.report(from(nth), FAILURE_REPORT);

    expect(await channel()).toMatchObject({ halted: '1.5.0' });
  });

  test('reports to another server halt the canary on this server at the next turn, once', async () => {
    const here = await openServer(db());
    const other = await startServer(db());
    for (let nth = 0; nth < 4; nth++) await here.watch.report(here.from(nth), FAILURE_REPORT);
    await other.watch.report(other.from(4), FAILURE_REPORT);

    await Promise.all([here.registry.refresh(), here.watch.turn(), other.watch.turn()]);
    expect([...here.halted, ...other.halted]).toEqual(['It failed in 5 of the 5 networks that got it']);
    expect(here.registry.snapshot().units.get(UNIT)?.canary).toBeUndefined();
  });

  test('a broken canary is halted at the next turn after a database outage', async () => {
    await openServer(db());
    const { db: watched, failNext } = watchStatements(db());
    const { watch, from } = await startServer(watched);
    for (let nth = 0; nth < 4; nth++) await watch.report(from(nth), FAILURE_REPORT);
    failNext(/ as "holder"/, new DatabaseUnavailable('It is away.'));
    await expect(watch.report(from(4), FAILURE_REPORT)).rejects.toThrow(DatabaseUnavailable);

    await watch.turn();

    expect(await channel()).toMatchObject({ canary: null, halted: '1.5.0' });
  });

  test('networks stored by the previous release without a holder count individually', async () => {
    const { watch, from } = await openServer(db());
    for (let nth = 0; nth < 4; nth++) await watch.report(from(nth), FAILURE_REPORT);
    await db().updateTable('loadReport').set({ holderHmac: null }).execute();
    await watch.report(from(4), FAILURE_REPORT);

    expect(await channel()).toMatchObject({ canary: null, halted: '1.5.0' });
  });

  test('a lock on the unit does not prevent the halt of a broken canary', async () => {
    const { watch, from } = await openServer(db());
    await db().updateTable('channel').set({ lockReason: 'quiet days' }).where('unit', '=', UNIT).execute();
    for (let nth = 0; nth < 5; nth++) await watch.report(from(nth), FAILURE_REPORT);

    expect(await channel()).toMatchObject({ canary: null, lockReason: 'quiet days' });
  });

  test('a reopened canary is judged only by reports after its reopening', async () => {
    const { watch, from, pass, registry, halted } = await openServer(db());
    for (let nth = 0; nth < 5; nth++) await watch.report(from(nth), FAILURE_REPORT);
    pass(1000);
    await insertReleases(db(), [], { [UNIT]: { canary: '1.5.0', canaryShare: TEN_PERCENT, canarySince: T0 + 1000 } });
    await registry.refresh();

    await watch.turn();
    for (let nth = 0; nth < 4; nth++) await watch.report(from(nth), FAILURE_REPORT);
    expect(halted).toHaveLength(1);
    await watch.report(from(4), FAILURE_REPORT);
    expect(halted).toHaveLength(2);
  });

  test('a network counts again when it loads the canary after its reopening', async () => {
    const { visit, watch, pass, registry } = await openServer(db(), 10_000);
    await visit(1);
    await watch.turn();
    pass(1000);
    await insertReleases(db(), [], { [UNIT]: { canary: '1.5.0', canaryShare: 10_000, canarySince: T0 + 1000 } });
    await registry.refresh();
    await watch.turn();

    await visit(1);
    await watch.turn();
    expect(await db().selectFrom('loadReport').select('reportedAt').execute()).toEqual([{ reportedAt: T0 + 1000 }]);
  });

  test('a network that loaded a canary is stored by the periodic turn, once per canary, not by the page request', async () => {
    const { visit, watch } = await openServer(db(), 10_000);
    const rows = () => db().selectFrom('loadReport').select(['kind', 'version']).execute();
    for (let times = 0; times < 3; times++) await visit(1);
    expect(await rows()).toEqual([]);

    await watch.turn();
    await visit(1);
    await watch.turn();
    expect(await rows()).toEqual([{ kind: 'served', version: '1.5.0' }]);
  });
});
