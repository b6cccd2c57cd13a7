import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { beforeEach, expect, test, vi } from 'vitest';
import { commits } from '#api/foundation/audit/transact.ts';
import { insertRun } from '#api/test/build-rows.ts';
import { createTestApi, openEmptyDb } from '#api/test/create-test-api.ts';
import { readMetric } from '#api/test/read-metric.ts';
import { clientOf } from '#api/test/product/key-system-fixture.ts';
import {
  clickComplete,
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  openApi,
  walkStep,
  WHO,
} from '#api/test/product/visitor-steps.ts';
import { createWaitForChange } from './wait-for-change.ts';

const KEY_CALL = `/api/key?${WHO}&app=main`;
const STATE_CALL = `/api/keysystem/state?${WHO}&app=main`;
const WAITING = { headers: { prefer: 'wait=25' } };
const TIME_METRIC = 'http_request_duration_seconds_sum';
const APPLIED = 'preference-applied';

/** Waits until a request is held for the device: it listens, and has read once before this answer. */
async function letItHold(api: Awaited<ReturnType<typeof openApi>>) {
  const { id } = await api.db.selectFrom('device').select('id').executeTakeFirstOrThrow();
  await expect.poll(() => commits.listenerCount(`of ${id}`) > 0).toBe(true);
  await api.ask(KEY_CALL);
  return () => commits.listenerCount(`of ${id}`);
}

test('an app that waits is told of a step as soon as it is credited', async () => {
  const api = await openApi();
  const link = await clickComplete(api);
  const answer = api.ask(KEY_CALL, WAITING);
  await letItHold(api);
  api.pass(LONG_ENOUGH_MS);
  await api.visit(await finishAtAdvertiser(api, link));
  const creditedAt = performance.now();

  const res = await answer;
  expect(performance.now() - creditedAt).toBeLessThan(2000);
  expect(await res.json()).toMatchObject({ status: 'in_progress', step: 2, now: api.now() });
  expect(res.headers.get(APPLIED)).toBe('wait');
});

test('an app that waits is told of a strike as soon as it is added', async () => {
  const api = await openApi();
  await walkStep(api, {}, 'wrong_proof');
  await walkStep(api, {}, 'wrong_proof');
  const answer = api.ask(KEY_CALL, WAITING);
  await letItHold(api);
  await walkStep(api, {}, 'wrong_proof');

  expect(await (await answer).json()).toMatchObject({ status: 'blocked', reason: 'KS_COOLDOWN' });
});

test('a page that waits for the confirmation of a step is told of it at once, and of everything else without a wait', async () => {
  const api = await openApi();
  await walkStep(api);
  expect((await api.ask(STATE_CALL, WAITING)).headers.get(APPLIED)).toBeNull();

  const link = await clickComplete(api, { step: 2 });
  api.pass(LONG_ENOUGH_MS);
  const returned = await finishAtAdvertiser(api, link);
  await api.db.updateTable('stepAttempt').set({ state: 'awaiting_postback' }).where('step', '=', 2).execute();
  const answer = api.ask(STATE_CALL, WAITING);
  const countHeld = await letItHold(api);
  expect(countHeld()).toBe(1);
  await api.db.updateTable('stepAttempt').set({ state: 'issued' }).where('step', '=', 2).execute();
  await api.visit(returned);

  const res = await answer;
  expect(await res.json()).toMatchObject({ run: { step: 3, waiting: false } });
  expect(res.headers.get(APPLIED)).toBe('wait');
});

test('a client that hangs up is forgotten at once, and nothing is read for it', async () => {
  const api = await openApi();
  await clickComplete(api);
  const leaving = new AbortController();
  const answer = api.ask(KEY_CALL, { ...WAITING, signal: leaving.signal }).catch(() => 'gone');
  const countHeld = await letItHold(api);
  leaving.abort();

  expect(await answer).toBe('gone');
  await expect.poll(() => countHeld()).toBe(0);
});

test('a server that begins to stop answers those who wait, with its own time, and holds no further request', async () => {
  const api = await openApi();
  await clickComplete(api);
  await api.db.updateTable('stepAttempt').set({ state: 'awaiting_postback' }).execute();
  const answers = [KEY_CALL, STATE_CALL].map((call) => api.ask(call, WAITING));
  const countHeld = await letItHold(api);
  await expect.poll(() => countHeld()).toBe(2);
  await api.ask(KEY_CALL);
  api.pass(1000);
  api.beginToStop();

  const [key, state] = await Promise.all(answers.map(async (answer) => (await answer).json()));
  expect(key).toMatchObject({ status: 'in_progress', step: 1, now: api.now() });
  expect(state).toMatchObject({ run: { step: 1, waiting: true }, now: api.now() });
  expect((await api.ask(KEY_CALL, WAITING)).headers.get(APPLIED)).toBeNull();
});

test('a held request is counted once by the rate limit, and not as a slow one', async () => {
  const api = await createTestApi();
  const before = await readMetric(TIME_METRIC, { route: '/api/key' });
  const res = await api.ask(KEY_CALL, { headers: { prefer: 'respond-async, Wait="1"; x=y' } });

  expect(res.headers.get(APPLIED)).toBe('wait');
  expect(res.headers.get('ratelimit')).toContain('r=119');
  await expect.poll(() => api.logged.join('')).toContain('"path":"/api/key"');
  expect(await readMetric(TIME_METRIC, { route: '/api/key' })).toBeLessThan(before + 0.9);
});

/** A function that waits, and requests of the test: each reads the number that the test has set. */
async function openWaits({ heldRequests = 10, ofNetwork = 10 } = {}) {
  const db = await openEmptyDb();
  const { deviceId } = await insertRun(db, { hwidHmac: 'hmac of device' });
  const says = { number: 1, isCrowded: false, whileRead: () => {} };
  const stopping = new AbortController();
  const waitForChange = createWaitForChange({
    db,
    pseudonyms: { hwid: (hwid: string) => `hmac of ${hwid}` } as never,
    stopping: stopping.signal,
    limits: { heldRequests, perAddress: { heldRequests: ofNetwork } },
    load: { isCrowded: () => says.isCrowded },
  });

  async function ask(prefer = 'wait=25', network = 'network') {
    const res = Object.assign(new EventEmitter(), { closed: false, locals: {}, set: vi.fn() });
    const read = vi.fn(() => {
      const answer = { number: says.number, now: performance.now() };
      says.whileRead();
      return Promise.resolve(answer);
    });
    let given: number | undefined;
    const by = { ...clientOf('browser'), networks: [network, 'yesterday'] as const };
    const answer = waitForChange({ get: () => prefer } as unknown as Request, res as unknown as Response, {
      app: 'main',
      hwid: 'device',
      by,
      read,
      isAwaiting: ({ number }) => number < 5,
    }).then(({ number }) => (given = number));
    await expect.poll(() => read).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(0);
    return { answer, read, res, given: () => given };
  }

  return { ask, says, db, deviceId, stopping };
}

beforeEach(({ task }) => {
  if (task.name.startsWith('held: ') || task.name.startsWith('threat '))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

test('held: a request is answered unchanged at its deadline, after 25 seconds at most', async () => {
  const { ask } = await openWaits();
  const [short, long] = [await ask('wait=7'), await ask('wait=3600')];

  await vi.advanceTimersByTimeAsync(6000);
  expect(short.given()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1000);
  expect(short.given()).toBe(1);
  await vi.advanceTimersByTimeAsync(17_000);
  expect(long.given()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1000);
  expect(long.given()).toBe(1);
});

test('held: a request notices a change of another server within five seconds', async () => {
  const { ask, says } = await openWaits();
  const { given } = await ask();
  says.number = 2;

  await vi.advanceTimersByTimeAsync(5000);
  expect(given()).toBe(2);
});

test('held: what is committed for the device wakes the request, which waits on where that changed nothing', async () => {
  const { ask, says, deviceId } = await openWaits();
  const { given, read, answer } = await ask();
  commits.emit(`of ${deviceId}`);
  await vi.advanceTimersByTimeAsync(0);
  expect(given()).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(2);

  says.number = 2;
  commits.emit(`of ${deviceId}`);
  expect(await answer).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('held: what is committed while a request reads is not missed', async () => {
  const { ask, says, deviceId } = await openWaits();
  says.whileRead = () => {
    says.number = 2;
    commits.emit(`of ${deviceId}`);
  };

  expect((await ask()).given()).toBe(2);
});

test('held: a server that stops, or has too much to do, answers all with what it has read', async () => {
  const { ask, says, stopping } = await openWaits();
  const [held, crowded] = [await ask(), await ask()];
  says.isCrowded = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(await crowded.answer).toBe(1);
  // It is to pause before it asks again.
  expect(crowded.res.set).not.toHaveBeenCalled();

  says.isCrowded = false;
  const last = await ask();
  stopping.abort();
  expect(await last.answer).toBe(1);
  for (const { read } of [held, crowded, last]) expect(read).toHaveBeenCalledTimes(1);
});

test('held: requests that came together do not read again together', async () => {
  const { ask } = await openWaits();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  for (let nth = 0; nth < 5; nth++) await ask();
  const pauses = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms >= 4000 && ms <= 5000);

  expect(new Set(pauses).size).toBe(5);
});

test('held: a request whose device cannot be looked up is read all the same, and gives its place back', async () => {
  const { ask, db } = await openWaits({ ofNetwork: 1 });
  await db.destroy();

  const { answer, res } = await ask();
  res.closed = true;
  res.emit('close');
  expect(await answer).toBe(1);
  expect((await ask()).given()).toBeUndefined();
});

test('held: an answer that has something to say comes at once', async () => {
  const { ask, says } = await openWaits();
  says.number = 5;
  const { answer, res } = await ask();

  expect(await answer).toBe(5);
  expect(res.set).not.toHaveBeenCalled();
});

test.each(['', 'wait', 'wait=soon', 'wait=0', 'await=9', 'respond-async'])(
  'held: no request with the preference "%s"',
  async (prefer) => {
    const { ask } = await openWaits();
    expect(await (await ask(prefer)).answer).toBe(1);
  },
);

test('threat 63: requests beyond the bounds of the server or of their network, or of a crowded server, are answered at once, until a client hangs up', async () => {
  const { ask, says } = await openWaits({ heldRequests: 3, ofNetwork: 2 });
  const [first] = [await ask(), await ask()];
  const third = await ask();
  expect(third.given()).toBe(1);
  expect(third.res.set).not.toHaveBeenCalled();
  const elsewhere = await ask('wait=25', 'another');
  expect(elsewhere.given()).toBeUndefined();
  expect((await ask('wait=25', 'a third')).given()).toBe(1);

  first.res.closed = true;
  first.res.emit('close');
  await first.answer;
  expect(first.read).toHaveBeenCalledTimes(1);
  expect((await ask()).given()).toBeUndefined();

  elsewhere.res.closed = true;
  elsewhere.res.emit('close');
  await elsewhere.answer;
  says.isCrowded = true;
  expect((await ask('wait=25', 'another')).given()).toBe(1);
});
