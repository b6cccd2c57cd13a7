import type { ActivePlan } from '@app/contracts/active-plan';
import { advanceTime, visit } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { common, vectors } from '../../../../samples/vectors/vectors.json';
import remote from '../remote.ts';
import { findResult } from '../test/find-result.ts';
import { DEVICE, link, open, openBrowserBeforeEach } from '../test/open-page.ts';
import { MINUTE_MS, NOW, refused, run, neverAnswer, stateResponse } from '../test/run-server.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const PLUS: ActivePlan = { id: 'plus', until: new Date(2026, 2, 30, 14, 31).getTime(), renewable: false };
const RUNS = 'Your Plus plan runs until 30 March at 14:31.';
const SKIP = 'Skip steps from 0,99 €';

openBrowserBeforeEach();

/** Expects the page of a plan, and no way to an advertiser or its captcha. */
function expectPlan(words: string): void {
  expect(screen.getByText(words)).toBeDefined();
  expect(screen.getByText('No steps for you, just open the app.')).toBeDefined();
  expect(link('Launch')).toBe('roblox://');
  expect(document.body.innerHTML).not.toContain('/api/');
  expect(screen.queryByText(/^Complete/)).toBeNull();
  expect(screen.queryByText(SKIP)).toBeNull();
}

const MAIN = ['1', '2', '3', '4', '5', '6', 'getkey', 'bypass'].map((page) => `/key-system-${page}`);
const COMPANION = ['1', '2', '3', 'getkey', 'bypass'].map((page) => `/rosaverx/key-system-${page}`);

test.each([...MAIN, ...COMPANION, '/gate'])(
  'on %s a device with a plan sees its expiry, and no steps',
  async (path) => {
    await open(path + DEVICE, { plan: PLUS });

    expect(location.pathname).toBe(path);
    expectPlan(RUNS);
    expect(screen.queryByText('Renew')).toBeNull();
  },
);

test.each([
  ['an open run', { run: run(3) }],
  ['an open run that awaits its advertiser', { run: run(3, { waiting: true }) }],
  ['a run for another zone', { run: run(2, { zone: 'other' }) }],
  ['a key of its plan', { key: { active: true, expiresAt: NOW + DAY_MS, renewable: false, zone: 'same' } }],
  ['a pause', { cooldown: { until: NOW + MINUTE_MS, reason: 'KS_COOLDOWN' } }],
] as const)('shows the plan also with %s', async (_what, changes) => {
  const { asked } = await open(`/key-system-3${DEVICE}`, { plan: PLUS, ...changes });
  expectPlan(RUNS);

  await advanceTime(10 * MINUTE_MS);
  expect(asked).toHaveLength(1);
});

test('a device with a plan needs no zone', async () => {
  await open('/key-system-1?hwid=device-1', { plan: PLUS });

  expectPlan(RUNS);
});

test('a renewable plan says so, and the link to the plans keeps the device', async () => {
  await open(`/key-system-getkey${DEVICE}`, { plan: { ...PLUS, renewable: true } });

  expectPlan(RUNS);
  expect(link('Renew')).toBe(`/plans${DEVICE}`);
});

test('a plan that can be renewed says how many days are left, and its ring has that share', async () => {
  await open(`/key-system-1${DEVICE}`, { plan: { ...PLUS, until: NOW + 4.5 * DAY_MS, renewable: true } });

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('5 days left on Plus');
  expect(document.querySelector('main circle + circle')!.getAttribute('stroke-dasharray')).toBe('0.15 1');
});

test('a short plan that can be renewed from its first day on does not say that it ends', async () => {
  await open(`/key-system-1${DEVICE}`, { plan: { id: 'basic', until: NOW + 7 * DAY_MS, renewable: true } });

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You’re on Basic');
});

test('the end of a plan is told by the clock of this device', async () => {
  await open(`/key-system-1${DEVICE}`, { endedPlan: { id: 'basic', endedAt: NOW }, now: NOW + 60 * MINUTE_MS });

  expect(screen.getByText('Your Basic plan ended at 11:00.')).toBeDefined();
});

test.each([
  ['today', NOW + 60 * MINUTE_MS, 'Your Basic plan runs until today at 13:00.'],
  ['in another year', new Date(2027, 2, 10, 12).getTime(), 'Your Basic plan runs until 10 March 2027 at 12:00.'],
])('a plan that expires %s shows its expiry', async (_when, until, words) => {
  await open(`/key-system-1${DEVICE}`, { plan: { id: 'basic', until, renewable: false } });

  expectPlan(words);
});

test('a blocked device sees its block in place of its plan, and is offered no plan', async () => {
  await open(`/key-system-1${DEVICE}`, { plan: PLUS, cooldown: { until: null, reason: 'KS_BLOCKED' } });

  expect(screen.getByText('This device is blocked')).toBeDefined();
  expect(screen.queryByText(RUNS)).toBeNull();
  expect(screen.queryByText(SKIP)).toBeNull();
});

test.each(['/key-system-1', '/rosaverx/key-system-1'])(
  'when a plan expires while %s is open, the state is requested again and the steps are shown',
  async (path) => {
    const { asked, answer } = await open(path + DEVICE, { plan: { ...PLUS, until: NOW + 30 * DAY_MS } });

    answer(stateResponse());
    await advanceTime(30 * DAY_MS - 1);
    expect(asked).toHaveLength(1);
    expect(screen.getByText('Launch')).toBeDefined();
    await advanceTime(1);
    expect(asked).toHaveLength(2);
    expect(screen.queryByText('Launch')).toBeNull();
    expect(screen.getByText('Checking…')).toBeDefined();
  },
);

test('a plan expires by the server’s clock, also when the server cannot be reached', async () => {
  const { answer } = await open(`/key-system-1${DEVICE}`, {
    plan: { ...PLUS, until: NOW + 5 * MINUTE_MS },
    now: NOW + 4 * MINUTE_MS,
  });
  expectPlan('Your Plus plan runs until today at 12:01.');

  answer(refused('server.unexpected'));
  await advanceTime(MINUTE_MS);
  expect(screen.queryByText('Launch')).toBeNull();
  expect(screen.getByText('Checking…')).toBeDefined();
});

test('shows a plan that was renewed elsewhere after its first expiry', async () => {
  const { answer } = await open(`/gate${DEVICE}`, { plan: { ...PLUS, until: NOW + MINUTE_MS } });

  answer(stateResponse({ plan: PLUS }));
  await advanceTime(MINUTE_MS);
  expectPlan(RUNS);
});

test('a plan that has ended says so at the first step, and offers to renew it', async () => {
  await open(`/key-system-1${DEVICE}`, { endedPlan: { id: 'basic', endedAt: NOW - DAY_MS } });

  expect(screen.getByText('Your Basic plan ended on 9 March at 12:00.')).toBeDefined();
  expect(link('Renew')).toBe(`/plans${DEVICE}`);
});

test('a plan that has ended does not hide that no advertiser is available', async () => {
  const endedPlan = { id: 'basic', endedAt: NOW - DAY_MS } as const;
  const advertisers = (['linkvertise', 'rinku', 'lootlabs'] as const).map((id) => ({ id, ok: false }));
  await open(`/key-system-1${DEVICE}`, { endedPlan, advertisers });

  expect(screen.getByText('Every advertiser’s down right now. This page keeps checking.')).toBeDefined();
  expect(screen.queryByText('Renew')).toBeNull();
});

test('an open run does not speak of a plan that has ended', async () => {
  await open(`/key-system-2${DEVICE}`, { run: run(2), endedPlan: { id: 'basic', endedAt: NOW - DAY_MS } });

  expect(screen.queryByText('Renew')).toBeNull();
});

test.each(['/key-system-1', '/key-system-3', '/key-system-6', '/rosaverx/key-system-1', '/rosaverx/key-system-3'])(
  '%s shows from the start for which price a plan skips all steps, and its link keeps the device',
  async (path) => {
    await open(path + DEVICE, neverAnswer);

    expect(link(SKIP)).toBe(`/plans${DEVICE}`);
  },
);

test('the page that checks keys shows until when the device in the address has a plan', async () => {
  vi.stubGlobal('fetch', (address: string) =>
    address === '/api/plan-status?hwid=device-1'
      ? Promise.resolve(Response.json({ plan: PLUS, now: NOW }))
      : Promise.reject(new Error(address)),
  );
  await visit(remote, `/check-key${DEVICE}`);

  expect(screen.getByText(RUNS)).toBeDefined();
  expect(screen.getByText('Just open the app. It gets its own keys.')).toBeDefined();
});

test.each([
  ['the server does not answer', '?hwid=device-1', neverAnswer, 1],
  ['the server knows no plans', '?hwid=device-1', refused('route.not_found'), 1],
  ['no device is known', '', neverAnswer, 0],
])('the page that checks keys shows no plan when %s', async (_why, query, reply, questions) => {
  const { asked } = await open(`/check-key${query}`, reply);

  expect(asked).toHaveLength(questions);
  expect(screen.queryByText(/plan runs until/)).toBeNull();
  expect(screen.getByRole('button', { name: 'Check' })).toBeDefined();
});

test.each([
  ['your plan', 'a key of a plan, on its device'],
  ['completed steps', 'a key of ours, on its device'],
])('a checked key says that it comes from %s', async (from, title) => {
  vi.setSystemTime(common.now * 1000);
  vi.stubGlobal('fetch', (address: string) =>
    address.endsWith('/jwks.json') ? Promise.resolve(Response.json(common.jwks)) : neverAnswer(),
  );
  await visit(remote, `/check-key?hwid=${common.hwid}`);
  const key = vectors.find((vector) => vector.title === title)?.key;
  fireEvent.change(screen.getByLabelText('Key'), { target: { value: key } });
  fireEvent.click(screen.getByRole('button', { name: 'Check' }));

  const result = await findResult();
  expect(within(result).getByText('From').nextSibling?.textContent).toBe(from);
});
