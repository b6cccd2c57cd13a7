import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, openPage, refuse } from '../test/page.ts';

const DAY = 24 * 60 * 60_000;
const PLANS = '/plans?hwid=device-1&zone=z';
const STATUS = '/api/plan-status?hwid=device-1';

/** Opens the plans of a device; the server tells what it knows of its plan. */
async function open(status: () => Response | Promise<Response>, claim?: () => Response | Promise<Response>) {
  const asked = await openPage(PLANS, { [STATUS]: status, ...(claim && { '/api/claim-plan': claim }) });
  await advanceTime(100);
  return asked;
}

/** @param left how long the plan runs, in milliseconds */
function activePlanResponse(left: number, now = NOW): () => Response {
  return () => Response.json({ plan: { id: 'plus', until: now + left, renewable: left <= 14 * DAY }, now });
}

const noPlanResponse = () => Response.json({ plan: null, now: NOW });
const status = () => within(screen.getByRole('main')).getByRole('status').textContent;
const buttons = () =>
  screen
    .queryAllByRole('link', { name: /^(Get|Renew with) (Basic|Plus|Premium)/ })
    .map(({ textContent }) => textContent);

test('a device without a plan is told so, and can buy each plan', async () => {
  await open(noPlanResponse);
  expect(status()).toBe('This device has no plan yet.Pick one below.');
  expect(buttons()).toEqual(['Get Basic', 'Get Plus', 'Get Premium']);
});

test('a long-running plan shows its expiry, and each card shows from when the plan can be renewed', async () => {
  await open(activePlanResponse(30 * DAY));
  expect(status()).toBe('Your Plus plan runs until 22\u00a0December at 12:00.You can renew from 8\u00a0December.');
  expect(buttons()).toEqual([]);
  expect(screen.getAllByText('Renew from 8 December')).toHaveLength(3);
});

test('the expiry of a plan has its year when not the current one, and follows the clock of this device', async () => {
  await open(activePlanResponse(365 * DAY, NOW + DAY));
  expect(status()).toContain('until 22\u00a0November 2027 at 12:00.');
});

test('a plan can be renewed in its last two weeks', async () => {
  await open(activePlanResponse(14 * DAY));
  expect(status()).toContain('Renew now and keep your days.');
  expect(buttons()).toEqual(['Renew with Basic', 'Renew with Plus', 'Renew with Premium']);
});

test('each plan can be chosen until the server answers, and when it fails', async () => {
  let fail: (error: Error) => void = () => undefined;
  await open(() => new Promise((_resolve, reject) => (fail = reject)));
  expect(status()).toBe('Looking for a plan on this device…');
  expect(buttons()).toEqual(['Get Basic', 'Get Plus', 'Get Premium']);

  fail(new TypeError('Failed to fetch'));
  await advanceTime(0);
  expect(status()).toBe('We couldn’t check if this device has a plan.Check your connection. This page keeps trying.');
  expect(buttons()).toEqual(['Get Basic', 'Get Plus', 'Get Premium']);
});

test('when the connection returns, the plan is loaded without a reload', async () => {
  let told: () => Response | Promise<Response> = () => Promise.reject(new TypeError('Failed to fetch'));
  await open(() => told());
  told = noPlanResponse;
  await advanceTime(15_000);
  await advanceTime(100);

  expect(status()).toBe('This device has no plan yet.Pick one below.');
});

test('an id that many devices send has no plan, and is not requested again', async () => {
  const asked = await open(() => refuse('KS_HWID', 400));
  expect(status()).toBe('That’s not a device ID: lots of devices send it.Open this page from the app again.');

  await advanceTime(60_000);
  expect(asked.filter(({ path }) => path === STATUS)).toHaveLength(1);
});

test('the form for owners of a plan is rendered before it is opened', async () => {
  await open(noPlanResponse);
  expect(screen.getByPlaceholderText(/@/).closest('[hidden]')).not.toBeNull();

  fireEvent.click(screen.getByText('I have a plan'));
  expect(screen.getByPlaceholderText(/@/).closest('[hidden]')).toBeNull();
});

test('a visitor who returns to the page after a payment sees the paid plan', async () => {
  let told = noPlanResponse;
  await open(() => told());
  told = activePlanResponse(30 * DAY);
  document.dispatchEvent(new Event('visibilitychange'));
  await advanceTime(100);
  await advanceTime(100);

  expect(status()).toContain('Your Plus plan runs until 22\u00a0December');
  expect(buttons()).toEqual([]);
});

test('before a payment the page explains provider, start, device and refund', async () => {
  await open(noPlanResponse);
  const before = within(screen.getByRole('region', { name: 'Before you pay' }));
  expect(before.getAllByRole('listitem')).toHaveLength(3);
  expect(before.getByText(/^Need a refund\?/)).toBeDefined();
  expect(before.getByRole('link').getAttribute('href')).toMatch(/^https:/);
});

test('without a device nothing is requested, and only a code can be used', async () => {
  const asked = await openPage('/plans?hwid=device-1', {});
  await advanceTime(100);

  expect(asked).toEqual([]);
  expect(screen.queryByRole('button', { name: 'I have a plan' })).toBeNull();
  expect(screen.getByRole('link', { name: 'I have a code' }).getAttribute('href')).toBe('/redeem?hwid=device-1');
});

/** Opens the form for those who have a plan, and sends an address. */
async function claim(email: string, answer: () => Response | Promise<Response> = () => new Response()) {
  const asked = await open(noPlanResponse, answer);
  const opener = screen.getByRole('button', { name: 'I have a plan' });
  expect(opener.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(opener);
  expect(opener.getAttribute('aria-expanded')).toBe('true');
  // The form's code comes after the first paint.
  await advanceTime(100);
  await advanceTime(100);

  fireEvent.change(screen.getByLabelText('Email address of your plan'), { target: { value: email } });
  fireEvent.submit(screen.getByLabelText('Email address of your plan').closest('form')!);
  return asked;
}

const SENT_TEXT = 'If this address has a plan, an email with a link is on its way. The link works for 30 minutes.';

test('an owner of a plan requests a link by e-mail that adds this device', async () => {
  const asked = await claim(' Lovelace, Ada <ada@mail.example> ', () => new Response(null, { status: 204 }));
  expect(screen.getByRole('button', { name: 'Sending...' }).getAttribute('aria-disabled')).toBe('true');
  await advanceTime(0);

  expect(screen.getByText(SENT_TEXT).getAttribute('role')).toBe('status');
  expect(screen.getByRole('button', { name: 'Sent' }).getAttribute('aria-disabled')).toBe('true');
  const { path, method, body } = asked.at(-1)!;
  expect([path, method, body]).toEqual([
    '/api/claim-plan',
    'POST',
    JSON.stringify({ email: 'ada@mail.example', hwid: 'device-1' }),
  ]);
  fireEvent.change(screen.getByLabelText('Email address of your plan'), { target: { value: 'b' } });
  expect(screen.queryByText(SENT_TEXT)).toBeNull();
  expect(screen.getByRole('button', { name: 'Send the link' }).getAttribute('aria-disabled')).not.toBe('true');
});

test('an address that is edited while it is sent is not sent twice', async () => {
  const asked = await claim('ada@mail.example', () => new Promise(() => undefined));
  const input = screen.getByLabelText('Email address of your plan');
  fireEvent.change(input, { target: { value: 'eve@mail.example' } });

  expect(screen.getByRole('button', { name: 'Sending...' }).getAttribute('aria-disabled')).toBe('true');
  expect(asked.filter(({ path }) => path === '/api/claim-plan')).toHaveLength(1);
});

test.each([
  [
    'too many tries',
    () => refuse('KS_LIMIT', 429, {}, { 'retry-after': '600' }),
    'Too many tries. Try again in 10 minutes, at 12:10.',
  ],
  ['an address that the server refuses', () => refuse('request.invalid', 400), 'Please enter a valid email.'],
  [
    'a server in trouble',
    () => refuse('server.unexpected', 500),
    'We couldn’t send it, and that’s on us. Try again in a minute.',
  ],
  [
    'a connection that fails',
    () => Promise.reject(new TypeError('Failed to fetch')),
    'We couldn’t send it. Check your connection, then try again.',
  ],
])('%s: the form says what to do', async (_what, answer, words) => {
  await claim('ada@mail.example', answer);
  await advanceTime(0);
  expect(screen.getByText(words).getAttribute('role')).toBe('alert');
});
