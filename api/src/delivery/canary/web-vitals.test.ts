import type { VitalsReport } from '@app/contracts/page-reports';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { registry as metrics } from '#api/foundation/telemetry/metrics.ts';
import { haltCanary, openCanary, promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { listRegistry } from '#api/delivery/registry/list-registry.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import { bucketOf } from '#api/delivery/registry/canary-regression.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { buildRelease, buildRoute } from '#api/test/delivery/build-release.ts';
import { insertReleases } from '#api/test/delivery/insert-releases.ts';
import { createWebVitals, engineOf } from './web-vitals.ts';

const DAY = 24 * 60 * 60 * 1000;
const UNIT = 'key-system';
const [STABLE, CANARY] = ['1.4.0', '1.5.0'];
const ENOUGH_VISITS = 500;

const REPORT: VitalsReport = { page: '/key-system-1', version: CANARY, shell: '0.1.0', cached: true };

/** Two servers of a site with a canary of the key system, and a clock that the test moves. */
async function openServers(db: Db, shellCanary?: string, mostKept?: number) {
  const routes = ['/key-system-1', '/key-system-2'].map((path) => buildRoute(path));
  await insertReleases(
    db,
    [
      buildRelease('shell', { routes: [buildRoute('/qa')] }),
      buildRelease('shell', { version: '0.2.0' }),
      buildRelease(UNIT, { version: STABLE, routes }),
      buildRelease(UNIT, { version: CANARY, routes }),
      buildRelease('tools', { routes: [buildRoute('/encrypter')] }),
    ],
    {
      shell: {
        stable: '0.1.0',
        ...(shellCanary !== undefined && { canary: shellCanary, canaryShare: 1, canarySince: T0 }),
      },
      tools: { stable: '0.1.0' },
      [UNIT]: { stable: STABLE, canary: CANARY, canaryShare: 1000, canarySince: T0 },
    },
  );
  let time = T0;
  const registries = [await openRegistry(db), await openRegistry(db)] as const;
  const servers = registries.map((registry) =>
    createWebVitals({ db, registry, now: () => time, ...(mostKept !== undefined && { mostKept }) }),
  );
  const [here, there] = servers as [(typeof servers)[0], (typeof servers)[0]];
  return {
    here,
    there,
    pass: (ms: number) => void (time += ms),
    refresh: async () => void (await Promise.all(registries.map((registry) => registry.refresh()))),
    /** Some visits, half at each server, whose times vary by a fifth. */
    visit: (times: number, reported: Partial<VitalsReport>) => {
      for (let nth = 0; nth < times; nth++) {
        const vary = (ms: number | undefined) => (ms === undefined ? {} : ms * (0.8 + (0.4 * nth) / times));
        const varied = Object.fromEntries(
          (['works', 'lcp'] as const).flatMap((name) =>
            reported[name] === undefined ? [] : [[name, vary(reported[name])]],
          ),
        );
        (nth % 2 ? here : there).note({ ...REPORT, ...reported, ...varied }, 'chromium');
      }
    },
    slower: async (unit = UNIT) => {
      for (const server of servers) await server.turn();
      return (await listRegistry(db)).units.find((listed) => listed.unit === unit)?.slower;
    },
  };
}

describeEachDatabase('what browsers tell of pages', (db) => {
  const rows = () => db().selectFrom('fieldTiming').selectAll().execute();

  test('a canary a third slower than stable is flagged with both medians, whichever server received the values', async () => {
    const { visit, slower } = await openServers(db());
    visit(ENOUGH_VISITS, { version: STABLE, works: 900, lcp: 700 });
    visit(ENOUGH_VISITS - 1, { version: CANARY, works: 1300, lcp: 700 });
    expect(await slower()).toEqual([]);

    visit(1, { version: CANARY, works: 1300, lcp: 700 });
    const [named, ...others] = (await slower()) ?? [];
    expect(others).toEqual([]);
    expect(named).toMatchObject({ timing: 'works', visits: ENOUGH_VISITS });
    expect(named?.canaryMs).toBeGreaterThan(1250);
    expect(named?.canaryMs).toBeLessThan(1350);
    expect(named?.stableMs).toBeGreaterThan(870);
    expect(named?.stableMs).toBeLessThan(930);
    expect(await slower('tools')).toEqual([]);
  });

  test.each([
    [1250, 0],
    [1370, 1],
  ])('a canary with a median of %i ms beside one of 1000 ms is flagged %i times', async (lcp, times) => {
    const { visit, slower } = await openServers(db());
    visit(ENOUGH_VISITS, { version: STABLE, lcp: 1000 });
    visit(ENOUGH_VISITS, { version: CANARY, lcp });

    expect(await slower()).toHaveLength(times);
  });

  test('a canary is not flagged for more visits to a slow page, or by browsers without cached files', async () => {
    const { visit, slower } = await openServers(db());
    for (const [version, slow, fresh] of [
      [STABLE, ENOUGH_VISITS, ENOUGH_VISITS / 10],
      [CANARY, ENOUGH_VISITS * 4, ENOUGH_VISITS * 4],
    ] as const) {
      visit(ENOUGH_VISITS, { version, works: 500 });
      visit(slow, { version, page: '/key-system-2', works: 4000 });
      visit(fresh, { version, cached: false, works: 9000 });
    }

    expect(await slower()).toEqual([]);
  });

  test('a canary of the shell is compared on the pages of all units', async () => {
    const { visit, slower } = await openServers(db(), '0.2.0');
    for (const page of ['/key-system-1', '/key-system-2'])
      for (const shell of ['0.1.0', '0.2.0'])
        visit(ENOUGH_VISITS / 2, { version: STABLE, shell, page, lcp: shell === '0.1.0' ? 800 : 1600 });

    expect(await slower('shell')).toMatchObject([{ timing: 'lcp', visits: ENOUGH_VISITS }]);
    expect(await slower()).toEqual([]);
  });

  test('visits of another unit with equal version numbers are not counted', async () => {
    const { visit, slower } = await openServers(db());
    for (const version of [STABLE, CANARY]) visit(ENOUGH_VISITS, { version, lcp: 1000 });
    expect(await slower()).toEqual([]);
    // They would make the canary slower by far.
    const [row] = await rows();
    if (!row) throw new Error('Nothing was counted');
    const slow = { ...row, unit: 'tools', version: CANARY, bucket: bucketOf(9000), visits: ENOUGH_VISITS * 9 } as const;
    await db().insertInto('fieldTiming').values(slow).execute();

    expect(await slower()).toEqual([]);
  });

  test('a halted, promoted or reopened canary is not flagged for earlier visits', async () => {
    const { visit, slower, pass, refresh } = await openServers(db());
    visit(ENOUGH_VISITS, { version: STABLE, lcp: 1000 });
    visit(ENOUGH_VISITS, { version: CANARY, lcp: 2000 });
    expect(await slower()).toHaveLength(1);

    const act = { by: 'test', at: T0 };
    const halt = { reason: 'It looks odd', version: CANARY, isAutomatic: false };
    await haltCanary({ db: db() }, UNIT, halt, act);
    await refresh();
    expect(await slower()).toEqual([]);

    pass(DAY);
    const again = { version: CANARY, percent: 10, again: true };
    expect(await openCanary({ db: db() }, UNIT, again, { by: 'test', at: T0 + DAY })).toMatchObject({
      outcome: 'moved',
    });
    await refresh();
    expect(await slower()).toEqual([]);

    await promoteReleases({ db: db() }, [{ unit: UNIT, version: CANARY }], { by: 'test', at: T0 + DAY });
    await refresh();
    visit(1, { version: CANARY, lcp: 1 });
    const before = await rows();
    expect(await slower()).toEqual([]);
    // Without a canary there is nothing to compare.
    expect(await rows()).toHaveLength(before.length);
  });

  test('threat 59: unknown pages and releases create neither rows nor metric labels', async () => {
    const { here, slower } = await openServers(db());
    const nonsense: Partial<VitalsReport>[] = [
      { page: '/nowhere' },
      { page: '/encrypter' },
      { page: '/qa', version: '0.1.0' },
      { version: '9.9.9' },
      { shell: '9.9.9' },
    ];
    for (const reported of nonsense) here.note({ ...REPORT, works: 1, lcp: 1, cls: 1, ...reported }, 'other');

    await slower();
    expect(await rows()).toEqual([]);
    expect(await listSeries()).toEqual([]);
  });

  test('threat 59: extremely slow visits do not halt a canary', async () => {
    const { visit, slower } = await openServers(db());
    visit(ENOUGH_VISITS, { version: STABLE, works: 1 });
    visit(ENOUGH_VISITS, { version: CANARY, works: 600_000 });

    expect(await slower()).toHaveLength(1);
    expect(await db().selectFrom('channel').select('canary').where('unit', '=', UNIT).executeTakeFirst()).toEqual({
      canary: CANARY,
    });
  });

  test('concurrent writes of the same counts by two servers add up', async () => {
    const { here, there } = await openServers(db());
    for (let nth = 0; nth < 150; nth++)
      for (const server of [here, there]) server.note({ ...REPORT, lcp: 10 * 1.05 ** nth }, 'webkit');
    await Promise.all([here.turn(), there.turn()]);

    const all = await rows();
    expect(all.reduce((sum, { visits }) => sum + visits, 0)).toBe(300);
    expect(all.length).toBeLessThan(95);
  });

  test('a page with a load time of zero counts in the fastest bucket', async () => {
    const { here } = await openServers(db());
    here.note({ ...REPORT, lcp: 0 }, 'other');
    await here.turn();

    expect(await rows()).toMatchObject([{ timing: 'lcp', bucket: bucketOf(10), visits: 1 }]);
  });

  test('counts that the database rejects are written later, once', async () => {
    const { here } = await openServers(db());
    here.note({ ...REPORT, lcp: 500 }, 'chromium');
    await here.turn();
    here.note({ ...REPORT, lcp: 500 }, 'chromium');
    await db().schema.alterTable('field_timing').renameTo('elsewhere').execute();
    await expect(here.turn()).rejects.toThrow();
    here.note({ ...REPORT, lcp: 500 }, 'chromium');
    await db().schema.alterTable('elsewhere').renameTo('field_timing').execute();
    await here.turn();
    await here.turn();

    expect((await rows()).map(({ visits }) => visits)).toEqual([3]);
  });

  test('counts in several statements are written all or none', async () => {
    const { here } = await openServers(db());
    for (const page of ['/key-system-1', '/key-system-2'])
      for (let ms = 10; ms < 60_000; ms *= 1.1) here.note({ ...REPORT, page, lcp: ms }, 'chromium');
    // The last row of all is refused.
    await db()
      .schema.alterTable('field_timing')
      .addColumn('checked', 'integer', (column) => column.check(sql`page <> '/key-system-2' OR bucket <> 99`))
      .execute();

    await expect(here.turn()).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });

  test('threat 59: distinct counts waiting in memory are bounded, and existing ones go on adding up', async () => {
    const { here } = await openServers(db(), undefined, 2);
    for (const lcp of [100, 1000, 10_000, 1000]) here.note({ ...REPORT, lcp }, 'chromium');
    await here.turn();

    const kept = (await rows()).map(({ bucket, visits }) => [bucket, visits]);
    expect(kept.sort(([one = 0], [other = 0]) => one - other)).toEqual([
      [bucketOf(100), 1],
      [bucketOf(1000), 2],
    ]);
  });

  test('counts expire after two weeks', async () => {
    const { here, pass } = await openServers(db());
    here.note({ ...REPORT, lcp: 500 }, 'chromium');
    await here.turn();
    pass(14 * DAY);
    await here.turn();
    expect(await rows()).toHaveLength(1);

    pass(DAY);
    await here.turn();
    expect(await rows()).toEqual([]);
  });

  test('metrics are labelled by page, engine, release and shell, and drop releases that are no longer served', async () => {
    const { here, refresh } = await openServers(db());
    for (const lcp of [700, 800]) here.note({ ...REPORT, works: 900, lcp, inp: 60, cls: 0.02 }, 'firefox');
    const labels = 'page="/key-system-1",engine="firefox",release="key-system@1.5.0",shell="0.1.0"';
    expect(await listSeries()).toEqual([
      ...['works', 'lcp', 'inp'].map((timing) => `site_field_duration_seconds_count{${labels},timing="${timing}"} 2`),
      `site_field_layout_shift_count{${labels}} 2`,
    ]);

    await promoteReleases({ db: db() }, [{ unit: UNIT, version: CANARY }], { by: 'test', at: T0 });
    await refresh();
    here.note({ ...REPORT, version: STABLE, lcp: 700 }, 'firefox');
    expect(await listSeries()).toEqual([]);
  });
});

test('load times of any length fall into at most a hundred buckets', () => {
  expect(bucketOf(600_000)).toBe(bucketOf(60_000));
  expect(bucketOf(60_000) - bucketOf(0)).toBeLessThan(100);
});

test.each([
  [
    'chromium',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
  ],
  [
    'chromium',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  ],
  ['firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0'],
  [
    'webkit',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'webkit',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/143.0 Mobile/15E148 Safari/605.1.15',
  ],
  ['other', 'x'.repeat(1000)],
  ['other', undefined],
])('the engine %s is detected in %j', (engine, userAgent) => {
  expect(engineOf(userAgent)).toBe(engine);
});

/** How often each series of these metrics was told. */
async function listSeries(): Promise<string[]> {
  return (await metrics.metrics()).split('\n').filter((line) => /^site_field_\w+_count/.test(line));
}
