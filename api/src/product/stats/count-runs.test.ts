import { MAX_STATS_DAYS } from '@app/contracts/stats';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { buildKey, creditStep, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { countMeanwhile } from '#api/test/read-metric.ts';
import { countSlice, createCounting } from './count-runs.ts';
import { createCountsRepository, type CountedKind } from './counts.repository.ts';
import { readStats } from './read-stats.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** T0 is at 8:00 UTC. */
const TODAY = '2027-01-15';
const LATER = T0 + 30 * MINUTE;
const NOTHING = { sent: 0, returned: 0, credited: 0, refused: 0, lost: 0 };

const { signal } = new AbortController();

describeEachDatabase('counts of runs', (db) => {
  const count = (at = LATER) => createCounting({ db: db(), log: pino({ enabled: false }), now: () => at })(signal);
  const attemptCounts = () =>
    db().selectFrom('attemptCount').selectAll().orderBy('day').orderBy('step').orderBy('advertiserId').execute();
  const keyCounts = () => db().selectFrom('keyCount').selectAll().orderBy('day').execute();
  const countedUntil = (...what: CountedKind[]) => createCountsRepository(db()).readUntil(...what);
  const attempts = () => createAttemptsRepository(db());

  let nth = 0;
  /** An attempt of a run of its own. */
  async function leave(changes: Parameters<typeof insertAttempt>[2] = {}) {
    const run = await insertRun(db(), { hwidHmac: `device ${String(nth++)}`, at: changes.issuedAt ?? T0 });
    return { run, attempt: await insertAttempt(db(), run, changes) };
  }
  const expireAll = async () => {
    await db().updateTable('stepAttempt').set({ state: 'expired' }).where('state', '=', 'issued').execute();
  };

  test('attempts are counted as sent, returned, credited, rejected and lost', async () => {
    const credited = await leave();
    await attempts().claim(credited.attempt.tokenHash, 'server', T0 + 20_000);
    await creditStep(db(), { ...credited, providerRef: 'proof', at: T0 + 20_000 });
    const refused = await leave();
    await attempts().claim(refused.attempt.tokenHash, 'server', T0 + 20_000);
    await attempts().reject(refused.attempt.id, 'KS_PROOF', T0 + 20_000);
    const early = await leave();
    await attempts().reject(early.attempt.id, 'KS_FAST', T0 + 1);
    const unanswered = await leave();
    const claim = await attempts().claim(unanswered.attempt.tokenHash, 'server', T0 + 20_000);
    if (claim) await attempts().giveUp({ ...claim, claimedBy: 'server', returnedAt: T0 + 20_000 }, 'KS_PROVIDER_DOWN');
    await leave();
    const replaced = await leave();
    await attempts().supersede([replaced.attempt.id]);
    await expireAll();

    await count();

    expect(await attemptCounts()).toEqual([
      {
        appId: 'main',
        day: TODAY,
        step: 1,
        advertiserId: 'linkvertise',
        sent: 6,
        returned: 4,
        credited: 1,
        refused: 2,
        lost: 2,
      },
    ]);
  });

  test('counts older than the longest queryable range are removed', async () => {
    const days = ['2026-10-17', '2026-10-18', '2026-10-19', TODAY];
    const counts = createCountsRepository(db());
    for (const day of days) {
      await counts.addAttempts(day, [{ appId: 'main', step: 1, advertiserId: 'rinku', ...NOTHING }]);
      await counts.addKeys('issued', day, [{ appId: 'main', count: 1 }]);
    }

    await count();

    expect((await attemptCounts()).map(({ day }) => day)).toEqual(days.slice(1));
    expect((await keyCounts()).map(({ day }) => day)).toEqual(days.slice(1));
    expect(await readStats(db(), { app: 'main', days: MAX_STATS_DAYS }, LATER)).toMatchObject({
      keys: expect.arrayContaining([{ day: days[1], issued: 1, withdrawn: 0 }]) as unknown[],
    });
  });

  test('an attempt without a link is not counted', async () => {
    const { attempt } = await leave();
    await attempts().withdraw(attempt.id);

    await count();

    expect(await attemptCounts()).toEqual([]);
  });

  test('an attempt credited by a postback alone counts as neither lost nor returned', async () => {
    const { run, attempt } = await leave({ advertiserId: 'lootlabs' });
    await creditStep(db(), { run, attempt, providerRef: 'task', at: T0 + 20_000 });

    await count();

    expect(await attemptCounts()).toMatchObject([{ ...NOTHING, advertiserId: 'lootlabs', sent: 1, credited: 1 }]);
  });

  test('attempts are counted by app, step, advertiser and day', async () => {
    await leave();
    const { attempt } = await leave({ advertiserId: 'workink', issuedAt: T0 + DAY });
    await db().updateTable('stepAttempt').set({ step: 2 }).where('id', '=', attempt.id).execute();
    const other = await insertRun(db(), { appId: 'companion', hwidHmac: 'other' });
    await insertAttempt(db(), other);
    await expireAll();

    await count(T0 + 2 * DAY);

    const rows = (await attemptCounts()).map(({ appId, day, step, advertiserId, sent }) =>
      [appId, day, step, advertiserId, sent].join(' '),
    );
    expect(rows.sort()).toEqual([
      `companion ${TODAY} 1 linkvertise 1`,
      `main ${TODAY} 1 linkvertise 1`,
      'main 2027-01-16 2 workink 1',
    ]);
  });

  test('counting stops before the first attempt without a result', async () => {
    await leave({ issuedAt: T0 - 1 });
    await expireAll();
    await leave({ issuedAt: T0 });
    await leave({ issuedAt: T0 + 1 });

    await count();
    expect(await attemptCounts()).toMatchObject([{ sent: 1 }]);
    expect(await countedUntil('attempts')).toBe(T0);
    await expireAll();
    await count();

    expect(await attemptCounts()).toMatchObject([{ sent: 3, lost: 3 }]);
  });

  test('an attempt without a result is counted after a day', async () => {
    const { attempt } = await leave();
    const over = attempt.expiresAt + DAY;

    await count(over - 1);
    expect(await attemptCounts()).toEqual([]);
    await count(over);

    expect(await attemptCounts()).toMatchObject([{ sent: 1, lost: 1 }]);
  });

  test('rows younger than five minutes are not counted yet', async () => {
    await leave();
    await expireAll();

    await count(T0 + 5 * MINUTE);
    expect(await attemptCounts()).toEqual([]);
    await count(T0 + 5 * MINUTE + 1);

    expect(await attemptCounts()).toMatchObject([{ sent: 1 }]);
  });

  test('rows are counted once in batches of any size, and a batch ends with its day', async () => {
    const night = T0 - (T0 % DAY) + DAY;
    for (const at of [night - 2, night - 1, night - 1, night - 1, night, night + 1]) await leave({ issuedAt: at });
    await expireAll();

    while (await countSlice(db(), 'attempts', night + DAY, { signal, portion: 2 }));
    await count(night + DAY);
    await count(night + DAY);

    expect((await attemptCounts()).map(({ day, sent }) => [day, sent])).toEqual([
      [TODAY, 4],
      ['2027-01-16', 2],
    ]);
  });

  test('a failed count is rolled back and retried by the next one', async () => {
    await leave();
    await expireAll();
    const failed: string[] = [];
    const broken = createCounting({
      db: db().withPlugin({
        transformQuery({ node }) {
          if (node.kind === 'InsertQueryNode') throw new Error('killed');
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      }),
      log: pino({}, { write: (line: string) => void failed.push((JSON.parse(line) as { job: string }).job) }),
      now: () => LATER,
    });

    await broken(signal);
    expect(failed).toEqual(['count attempts']);
    expect(await attemptCounts()).toEqual([]);
    await count();

    expect(await attemptCounts()).toMatchObject([{ sent: 1 }]);
  });

  test('keys are counted on the days of their issue and their revocation', async () => {
    const keys = createKeysRepository(db());
    const { run } = await leave();
    const other = await leave();
    const late = await leave();
    const withdrawn = buildKey(run);
    await keys.insert(withdrawn);
    await keys.insert(buildKey(other.run, { appId: 'companion' }));
    const expired = buildKey(late.run, { expiresAt: T0 + MINUTE });
    await keys.insert(expired);
    await keys.revoke({ jti: withdrawn.jti }, 'sold', T0 + DAY - 1);
    await keys.revoke({ jti: expired.jti }, 'sold', T0 + DAY - 1);
    await expireAll();

    await count(T0 + 2 * DAY);
    await count(T0 + 3 * DAY);

    expect((await keyCounts()).sort((a, b) => `${a.day}${a.appId}`.localeCompare(`${b.day}${b.appId}`))).toEqual([
      { appId: 'companion', day: TODAY, issued: 1, withdrawn: 0 },
      { appId: 'main', day: TODAY, issued: 2, withdrawn: 0 },
      { appId: 'main', day: '2027-01-16', issued: 0, withdrawn: 1 },
    ]);
  });

  test('the metrics have the counts of the last day', async () => {
    await leave({ issuedAt: T0 - 2 * DAY });
    await leave();
    const { run } = await leave();
    await createKeysRepository(db()).insert(buildKey(run));
    await expireAll();
    const labels = { app: 'main', step: '1', advertiser: 'linkvertise' };

    const changes = await countMeanwhile(
      [
        ['site_attempts_total', { ...labels, outcome: 'sent' }],
        ['site_attempts_total', { ...labels, outcome: 'lost' }],
        ['site_keys_total', { app: 'main', outcome: 'issued' }],
      ],
      () => count(),
    );

    expect(changes).toEqual([2, 2, 1]);
  });

  test('one of several servers counts a batch', async () => {
    await leave();
    await leave({ advertiserId: 'rinku' });
    await expireAll();

    await Promise.all(Array.from({ length: 8 }, () => countSlice(db(), 'attempts', LATER, { signal })));

    expect((await attemptCounts()).map(({ sent }) => sent)).toEqual([1, 1]);
  });

  test('a stopping server counts the batch it has read', async () => {
    const stopping = new AbortController();
    const keys = createKeysRepository(db());
    for (const ms of [0, 1, 2]) {
      const { run } = await leave();
      await keys.insert(buildKey(run, { issuedAt: T0 + ms }));
    }
    stopping.abort();
    await countSlice(db(), 'issued', LATER, { signal: stopping.signal, portion: 1 });
    expect(await keyCounts()).toEqual([]);

    await countSlice(db(), 'issued', LATER, { signal, portion: 1 });
    await countSlice(db(), 'issued', LATER, { signal, portion: 1 });

    expect(await keyCounts()).toMatchObject([{ issued: 3 }]);
  });

  test('counts of one day are added up', async () => {
    const keys = createKeysRepository(db());
    const issue = async (issuedAt: number) => keys.insert(buildKey((await leave()).run, { issuedAt, appId: 'main' }));
    await issue(T0);
    await count();
    await issue(LATER);
    await count(LATER + 10 * MINUTE);

    expect(await keyCounts()).toMatchObject([{ issued: 2 }]);
  });
});
