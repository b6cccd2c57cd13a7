import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, openPage, refuse } from '../test/page.ts';

const REF = 'order-of-a-buyer-0001';
const STATUS = `/api/order-status?ref=${REF}`;

const ORDER = {
  state: 'created',
  plan: 'plus',
  activeUntil: null,
  showsName: false,
  wantsReminder: false,
  now: NOW,
};
const ACTIVE = { ...ORDER, state: 'paid', activeUntil: new Date(2026, 11, 22, 14, 31).getTime() };
const ACTIVE_WORDS = 'Your Plus plan is active until 22 December at 14:31.';

type OrderAnswer = object | number | Error;

/** Opens the page of an order. The server tells what was told last: an order, the code of a refusal, or nothing. */
async function open(first: OrderAnswer, address = `/success-plus?ref=${REF}`) {
  let told = first;
  let consent: () => Response | Promise<Response> = noContent;
  const asked = await openPage(address, { [STATUS]: () => answerWith(told), '/api/order-consent': () => consent() });
  await advanceTime(0);

  return {
    asked: (path: string) => asked.filter((request) => request.path === path),
    tell: (next: OrderAnswer) => (told = next),
    consentWith: (answer: typeof consent) => (consent = answer),
  };
}

const noContent = () => new Response(null, { status: 204 });

function answerWith(told: OrderAnswer): Response | Promise<Response> {
  if (told instanceof Error) return Promise.reject(told);
  return typeof told === 'number' ? refuse(told === 404 ? 'PAY_ORDER' : 'request.invalid', told) : Response.json(told);
}

const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const steps = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
const action = () => within(screen.getByRole('main')).getAllByRole('link')[0];
const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('switch', { name });
const NAME = /^Show my first name when I buy/;
const REMINDER = /^Email me before it ends/;

test('an unconfirmed payment shows as activating, and a confirmed one with the expiry of the plan', async () => {
  const { tell, asked } = await open({ ...ORDER, state: 'redirected' });
  expect(heading()).toBe('Starting Plus…');
  expect(steps()[0]).toBe('Your bank confirms it, usually in seconds.');
  const launch = screen.getByRole('link', { name: 'Launch' });
  const quiet = launch.className;

  tell(ACTIVE);
  await advanceTime(3000);
  expect(heading()).toBe('Plus activated');
  expect(screen.getByText(ACTIVE_WORDS).closest('[role=status]')).not.toBeNull();
  expect(screen.getByRole('link', { name: 'Launch' })).toBe(launch);
  expect(launch.className).not.toBe(quiet);
  expect(steps()).toEqual([
    'Open the app, your plan’s on.',
    'No more steps while it runs.',
    'Your receipt is in your inbox (check spam).',
  ]);

  const before = asked(STATUS).length;
  await advanceTime(60_000);
  expect(asked(STATUS)).toHaveLength(before);
});

test('after a minute the page says that it may be closed, and polls less often', async () => {
  const { asked } = await open(ORDER);
  expect(screen.queryByText(/longer than usual/)).toBeNull();

  await advanceTime(60_000);
  expect(screen.getByText(/Some banks need hours.*You can close this page.*we’ll email you/)).toBeDefined();
  const before = asked(STATUS).length;
  for (const everyMs of [3000, 3000, 9000]) await advanceTime(everyMs);
  expect(asked(STATUS).length - before).toBe(1);
  await advanceTime(15_000);
  expect(asked(STATUS).length - before).toBe(2);
});

test('while the server cannot be reached the page says so and keeps polling', async () => {
  const { tell } = await open(new TypeError('Failed to fetch'));
  expect(heading()).toBe('Starting Plus…');
  expect(screen.getByText(/Can’t reach our server/)).toBeDefined();

  tell(ACTIVE);
  await advanceTime(3000);
  expect(screen.getByText(ACTIVE_WORDS)).toBeDefined();
  expect(screen.queryByText(/We can’t reach/)).toBeNull();
});

test.each([
  ['failed', 'Payment failed', 'Retry', 'Were you charged anyway?'],
  ['expired', 'Payment not finished', 'Retry', 'Were you charged anyway?'],
  ['refunded', 'Payment refunded', 'See the plans', 'Think that’s wrong?'],
])('an order that is %s says “%s”, and its action “%s” links to the plans without the reference', async (...told) => {
  const [state, words, name, question] = told;
  await open({ ...ORDER, state });

  expect(heading()).toBe(words);
  expect(action()?.textContent).toBe(name);
  expect(action()?.getAttribute('href')).toBe('/plans');
  expect(screen.getByText(question, { exact: false }).textContent).toMatch(/Open a ticket/);
  expect(screen.queryByRole('switch')).toBeNull();
});

test('a visitor who returns to a failed order sees that it is paid after all', async () => {
  const { tell } = await open({ ...ORDER, state: 'failed' });
  tell(ACTIVE);
  await advanceTime(10_000);
  expect(heading()).toBe('Payment failed');

  document.dispatchEvent(new Event('visibilitychange'));
  await advanceTime(0);
  expect(screen.getByText(ACTIVE_WORDS)).toBeDefined();
});

test('an order whose plan has expired says so', async () => {
  await open({ ...ORDER, state: 'paid' });
  expect(heading()).toBe('Plus isn’t active');
});

test('without a reference the page says of no payment that it is active, and offers Launch', async () => {
  const { asked } = await open(ORDER, '/success-plus?hwid=device-1&zone=z');
  await advanceTime(10_000);

  expect(heading()).toBe('Plus plan');
  expect(screen.getByRole('link', { name: 'Launch' }).getAttribute('href')).toBe('roblox://');
  expect(screen.getByRole('main').textContent).not.toMatch(/activ|until/i);
  expect(asked(STATUS)).toEqual([]);
});

test.each([
  ['an order that the server does not know', 404],
  ['an invalid reference', 400],
])('with %s the page says so: its action is the plans, and Launch is beside it', async (_what, told) => {
  const { asked } = await open(told);
  await advanceTime(10_000);

  expect(heading()).toBe('We can’t find this order');
  expect(action()?.getAttribute('href')).toBe('/plans');
  expect(screen.getByText(/Were you charged anyway/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Launch' }).getAttribute('href')).toBe('roblox://');
  expect(screen.getByRole('main').textContent).not.toMatch(/activ|until|Plus/i);
  expect(asked(STATUS)).toHaveLength(1);
});

test('the expiry of the plan follows the clock of this device', async () => {
  const ahead = 3 * 60 * 60_000;
  await open({ ...ACTIVE, now: NOW + ahead, activeUntil: ACTIVE.activeUntil + ahead });
  expect(screen.getByText(ACTIVE_WORDS)).toBeDefined();
});

test('no link of the page carries the reference', async () => {
  await open(ACTIVE, `/success-plus?ref=${REF}&hwid=device-1&zone=z`);
  for (const link of screen.getAllByRole('link')) expect(link.getAttribute('href')).not.toContain(REF);
});

test('both consents are off at first, and one that is switched on is saved at once and reported', async () => {
  const { asked } = await open(ACTIVE);
  expect([box(NAME).checked, box(REMINDER).checked]).toEqual([false, false]);
  expect(box(NAME).getAttribute('aria-describedby')).not.toBeNull();
  expect(screen.getByText('Saved automatically.').getAttribute('role')).toBeNull();

  fireEvent.click(box(NAME));
  expect(screen.getByText('Saving…')).toBeDefined();
  await advanceTime(0);
  expect(screen.getByText('Saved.').getAttribute('role')).toBe('status');

  fireEvent.click(box(REMINDER));
  await advanceTime(0);
  expect(asked('/api/order-consent').map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
    { ref: REF, showsName: true, wantsReminder: false },
    { ref: REF, showsName: true, wantsReminder: true },
  ]);
  expect([box(NAME).checked, box(REMINDER).checked]).toEqual([true, true]);
});

test('a consent that cannot be saved is reverted, and the page says so', async () => {
  const { consentWith } = await open({ ...ACTIVE, wantsReminder: true });
  consentWith(() => Promise.reject(new TypeError('Failed to fetch')));
  fireEvent.click(box(REMINDER));
  await advanceTime(0);

  expect(box(REMINDER).checked).toBe(true);
  expect(screen.getByText(/^We couldn’t save this/)).toBeDefined();

  consentWith(noContent);
  fireEvent.click(box(REMINDER));
  await advanceTime(0);
  expect(box(REMINDER).checked).toBe(false);
  expect(screen.getByText('Saved.')).toBeDefined();
});

test('a second change is sent after the first one is saved, so that the server keeps the last', async () => {
  const { asked, consentWith } = await open(ACTIVE);
  let answer: (response: Response) => void = () => undefined;
  consentWith(() => new Promise<Response>((resolve) => (answer = resolve)));
  fireEvent.click(box(NAME));
  fireEvent.click(box(REMINDER));
  await advanceTime(0);
  expect(asked('/api/order-consent')).toHaveLength(1);

  answer(noContent());
  await advanceTime(0);
  expect(asked('/api/order-consent')).toHaveLength(2);
  expect(screen.getByText('Saving…')).toBeDefined();
  expect([box(NAME).checked, box(REMINDER).checked]).toEqual([true, true]);

  answer(noContent());
  await advanceTime(0);
  expect(screen.getByText('Saved.')).toBeDefined();
  expect(asked('/api/order-consent').at(-1)?.body).toBe(
    JSON.stringify({ ref: REF, showsName: true, wantsReminder: true }),
  );
});
