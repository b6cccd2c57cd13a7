import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { click, NOW, openPage, refuse } from '../test/page.ts';

const TOKEN = 'a'.repeat(43);
const LINK = `/claim-plan#t=${TOKEN}`;
const PLAN = { id: 'plus', until: new Date(2026, 11, 22, 14, 31).getTime(), renewable: false };

const DETAILS = {
  device: '8f3a77c1…09be',
  plan: PLAN,
  freePlaces: 1,
  places: 2,
  isBound: false,
  expiresAt: NOW + 30 * 60_000,
  now: NOW,
};

const title = () => screen.getByRole('heading', { level: 2 });
const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const details = (more: object = {}) => Response.json({ ...DETAILS, ...more });

test('the page names the device before adding it with a warning, and then shows until when the plan is active', async () => {
  const asked = await openPage(LINK, {
    '/api/claim-details': details,
    '/api/confirm-claim': () => Response.json({ plan: PLAN, now: NOW }),
  });

  expect(window.location.hash).toBe('');
  expect(title().textContent).toBe('Add this device?');
  expect([...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual([
    'Device8f3a77c1…09be',
    'PlanPlus, until 22\u00a0December',
    'Slots left1 of 2',
  ]);
  expect(screen.getByText('Only go on if this is your own phone.')).toBeDefined();
  expect(asked.map(({ path }) => path)).not.toContain('/api/confirm-claim');

  await click('Add this device');
  expect(asked.filter(({ path }) => path.startsWith('/api/'))).toEqual([
    { path: '/api/claim-details', method: 'POST', body: JSON.stringify({ token: TOKEN }) },
    { path: '/api/confirm-claim', method: 'POST', body: JSON.stringify({ token: TOKEN }) },
  ]);
  expect(title().textContent).toBe('Your plan is on this device');
  expect(document.activeElement).toBe(title());
  expect(screen.getByText('Plus is active on it until 22 December at 14:31. Open the app and play.')).toBeDefined();
  expect([linkTo('Launch'), linkTo('See the plans')]).toEqual(['roblox://', '/plans']);
});

test('a hydrated page reads its link from the address, without a paste link', async () => {
  await openPage(LINK, { '/api/claim-details': details });

  expect(screen.getByText('Paste my link')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Paste my link' })).toBeNull();
});

test('a device that is already on the plan is told so, with the link into the app', async () => {
  await openPage(LINK, { '/api/claim-details': () => details({ isBound: true, freePlaces: 0 }) });

  expect(screen.getByRole('status').textContent).toBe(
    'This device is already on your planPlus is active on it until 22\u00a0December at 14:31. Open the app and play.',
  );
  expect(linkTo('Launch')).toBe('roblox://');
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([
  ['an open link', 'second', '2', details],
  ['a device that is on the plan', 'third', '3', () => details({ isBound: true })],
  ['a link that has ended', 'first', '1', () => refuse('RST_TOKEN', 410)],
  ['a plan without free slots', 'no', 'none', () => details({ freePlaces: 0 })],
])('%s marks the %s of the steps beside it', async (_what, _which, at, answer) => {
  await openPage(LINK, { '/api/claim-details': answer });

  expect(title().closest('section')?.dataset['at']).toBe(at);
});

test('when all slots are taken the page says so, and links to the reset', async () => {
  await openPage(LINK, { '/api/claim-details': () => details({ freePlaces: 0 }) });

  expect(screen.getByRole('alert').textContent).toBe(
    '2 of 2 slots are takenReset your devices first: that frees all slots and your plan stays. Then open this link again.',
  );
  expect(linkTo('Reset devices')).toBe('/v5#reset');
  expect(screen.queryByRole('button')).toBeNull();
});

test('a slot that was taken meanwhile is reported in place of the button', async () => {
  await openPage(LINK, {
    '/api/claim-details': () => details({ places: 1 }),
    '/api/confirm-claim': () => refuse('CLM_FULL', 409),
  });
  await click('Add this device');

  expect(title().textContent).toBe('The only slot is taken');
  expect(document.activeElement).toBe(title());
});

test('an expired link leads to the plans, where a new one is requested', async () => {
  await openPage(LINK, { '/api/claim-details': () => refuse('RST_TOKEN', 410) });

  expect(title().textContent).toBe('This link doesn’t work anymore');
  expect(screen.getByText('For a new link, tap “Get Plan” in the app and pick “I have a plan”.')).toBeDefined();
  expect(linkTo('Go to the plans')).toBe('/plans');
});
