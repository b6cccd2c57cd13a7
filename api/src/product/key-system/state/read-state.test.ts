import { randomUUID } from 'node:crypto';
import { type AppId, SANDBOX } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { expect, test } from 'vitest';
import { insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { clientOf, createFixture, DWELL_MS, OWNER, VISITOR } from '#api/test/product/key-system-fixture.ts';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { findCaptchaCostFactor } from '#api/product/key-system/start/open-run.ts';
import { findProgress, isAwaiting, readState } from './read-state.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const STRANGER = clientOf('stranger', 'elsewhere');

test('a page waits for a confirmation, and until the app has fetched a key that works', () => {
  const waits = (state: object) => isAwaiting({ run: null, key: null, cooldown: null, ...state } as RunState);
  const key = { active: true, isFetched: false };

  expect([{ run: { waiting: true } }, { key }].map(waits)).toEqual([true, true]);
  const others = [{}, { run: { waiting: false }, key }, { key: { active: true, isFetched: true } }];
  expect(others.map(waits)).toEqual([false, false, false]);
  expect([{ key: { active: false } }, { key, cooldown: {} }].map(waits)).toEqual([false, false]);
});

describeEachDatabase('state of a device', (db) => {
  /** A device whose owner has finished step 1 of a run. */
  async function walkStepOne() {
    const fixture = createFixture(db());
    await fixture.passCaptcha();
    await fixture.walkStep({ advertiser: 'rinku' });
    fixture.says.time += 1;
    const read = (by = OWNER, zone = VISITOR.zone) => readState(fixture.keySystem, 'main', { ...VISITOR, zone }, by);
    const find = (by = OWNER) => findProgress(fixture.keySystem, 'main', VISITOR, by).then(({ without }) => without);
    return { ...fixture, read, find };
  }

  test('the state of a new device has no run and no key', async () => {
    const { keySystem } = createFixture(db());

    expect(await readState(keySystem, 'companion', VISITOR, OWNER)).toEqual({
      app: 'companion',
      run: null,
      key: null,
      plan: null,
      cooldown: null,
      advertisers: ['linkvertise', 'lootlabs', 'rinku', 'workink'].map((id) => ({ id, ok: true })),
      stepsRequired: 3,
      now: T0,
    });
    expect(await findProgress(keySystem, 'main', VISITOR, OWNER)).toEqual({
      hasPlan: false,
      hasKey: false,
      without: { status: 'none' },
    });
  });

  test('the state offers the sandbox advertiser in the sandbox app only, also before the first run', async () => {
    const { keySystem } = createFixture(db());
    const offered = async (app: AppId) => (await readState(keySystem, app, VISITOR, OWNER)).advertisers;
    expect(await offered(SANDBOX)).toEqual([{ id: SANDBOX, ok: true }]);

    const before = await offered('main');
    await createAdvertisersRepository(db()).ensureSandbox();
    expect(await offered('main')).toEqual(before);
    expect(await offered(SANDBOX)).toEqual([{ id: SANDBOX, ok: true }]);
  });

  test('the state says what visits to an advertiser usually are', async () => {
    const { keySystem } = createFixture(db());
    const advertisers = createAdvertisersRepository(db());
    await advertisers.noteUsual('rinku', { usualMs: 60_000, finishedPercent: 90 });

    expect((await readState(keySystem, 'main', VISITOR, OWNER)).advertisers).toContainEqual({
      id: 'rinku',
      ok: true,
      usualMs: 60_000,
      finishedPercent: 90,
    });
    await advertisers.noteUsual('rinku', { usualMs: null, finishedPercent: null });
  });

  test('the state has the credited steps of the run and the available advertisers', async () => {
    const { read, find, says } = await walkStepOne();
    says.isDown = (id) => id === 'rinku';

    const { run, advertisers } = await read();
    expect(run).toEqual({
      step: 2,
      of: 6,
      series: 1,
      completed: [{ step: 1, advertiser: 'rinku', at: T0 + DWELL_MS, proof: 'secret_url' }],
      waiting: false,
      zone: 'same',
      own: true,
      expiresAt: T0 + DWELL_MS + HOUR,
    });
    expect(advertisers.filter(({ ok }) => !ok)).toEqual([{ id: 'rinku', ok: false }]);
    expect(await find()).toEqual({ status: 'in_progress', step: 2, of: 6 });
  });

  test.each([
    { step: 3, series: 1 },
    { step: 4, series: 2 },
  ])('the state at step $step has series $series', async ({ step, series }) => {
    const { read } = await walkStepOne();
    await db().updateTable('run').set({ step }).execute();

    expect(await read()).toMatchObject({ run: { step, series } });
  });

  test('the state says whether the run belongs to the client and whether its zone matches', async () => {
    const { read } = await walkStepOne();

    expect(await read(STRANGER, 'new')).toMatchObject({ run: { own: false, zone: 'other' } });
    expect(await read(clientOf('stranger'), 'zone-1')).toMatchObject({ run: { own: true, zone: 'same' } });
    expect(await read(OWNER, 'new')).toMatchObject({ run: { own: true, zone: 'moves' } });
  });

  test('the state waits for a postback of the current step and has the number of steps of its run', async () => {
    const { read, leave, passCaptcha, comeBack, says } = await walkStepOne();
    const ticket = await leave({ advertiser: 'lootlabs' });
    says.time += DWELL_MS;
    says.verdict = { verdict: 'awaited' };
    await comeBack(ticket);
    expect(await read()).toMatchObject({ run: { waiting: true, completed: [{ step: 1 }] } });

    await db().updateTable('stepAttempt').set({ step: 3 }).where('state', '=', 'awaiting_postback').execute();
    expect(await read()).toMatchObject({ run: { waiting: false } });
    await passCaptcha(STRANGER);
    await leave({ by: STRANGER, visitor: { ...VISITOR, zone: 'new' }, run: 'new' });
    expect(await read(STRANGER, 'new')).toMatchObject({ run: { step: 1, waiting: false, completed: [] } });
  });

  test('the state has the same block or cooldown for pages and apps', async () => {
    const { read, find, says, walkStep } = await walkStepOne();
    says.verdict = { verdict: 'refused' };
    for (let strikes = 0; strikes < 3; strikes++) await walkStep();
    const until = says.time + 15 * 60_000;

    expect(await read()).toMatchObject({ cooldown: { until, reason: 'KS_COOLDOWN' } });
    expect(await find()).toEqual({ status: 'blocked', until, reason: 'KS_COOLDOWN' });
    expect(await find(STRANGER)).toMatchObject({ status: 'in_progress' });
    await db().updateTable('device').set({ blockReason: 'abuse' }).execute();
    expect(await find(STRANGER)).toEqual({ status: 'blocked', until: null, reason: 'KS_BLOCKED' });
  });

  test('the state has the strikes of the client and of no other client', async () => {
    const { read, walkStep, says } = await walkStepOne();
    expect((await read()).strikes).toBeUndefined();
    says.verdict = { verdict: 'refused' };
    await walkStep();
    await walkStep();

    expect((await read()).strikes).toEqual({ count: 2, codes: ['KS_PROOF'] });
    expect((await read(STRANGER)).strikes).toBeUndefined();
  });

  test('the state counts a strike for a day', async () => {
    const { find, says, strikes, walkStep } = await walkStepOne();
    says.verdict = { verdict: 'refused' };
    await walkStep();
    const last = (await strikes())[0]?.at ?? 0;
    await db().updateTable('strike').set({ weight: 5 }).execute();

    says.time = last + DAY - 1;
    expect(await find()).toMatchObject({ status: 'blocked', until: last + DAY });
    says.time += 1;
    expect(await find()).toEqual({ status: 'none' });
  });

  test('the state has the expiry of the key and whether the key can be renewed', async () => {
    const { read, says, walkStep } = await walkStepOne();
    await db().updateTable('run').set({ stepsRequired: 2 }).execute();
    await walkStep();
    const expiresAt = says.time + DAY;

    const renewableAt = expiresAt - 2 * HOUR;
    expect(await read()).toMatchObject({
      key: { active: true, expiresAt, renewable: false, renewableAt, isFetched: false, zone: 'same' },
      run: null,
    });
    expect(await read(STRANGER, 'new')).toMatchObject({ key: { zone: 'other' } });
    says.time = renewableAt - 1;
    expect(await read()).toMatchObject({ key: { renewable: false } });
    says.time += 1;
    expect(await read()).toMatchObject({ key: { active: true, renewable: true } });
    says.time = expiresAt;
    expect((await read()).key).toEqual({ active: false, expiresAt, renewable: true, zone: 'same' });
  });

  test.each([
    { starts: 199, factor: 1 },
    { starts: 200, factor: 4 },
  ])(
    'the state multiplies the cost of a captcha by $factor after $starts runs of the network in an hour',
    async ({ starts, factor }) => {
      const { keySystem } = createFixture(db());
      const run = await insertRun(db(), { by: OWNER, at: T0 - HOUR });
      const start = () => ({ ...run, id: randomUUID(), state: 'cancelled' as const, createdAt: T0 - HOUR + 1 });
      await db()
        .insertInto('run')
        .values(Array.from({ length: starts }, start))
        .execute();

      expect(await findCaptchaCostFactor(keySystem, OWNER)).toBe(factor);
    },
  );
});
