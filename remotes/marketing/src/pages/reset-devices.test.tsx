import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { click, NOW, openPage, refuse } from '../test/page.ts';

const DAY = 86_400_000;
const TOKEN = 'a'.repeat(43);
const LINK = `/reset-devices?hwid=device-1&zone=z#t=${TOKEN}`;

const DETAILS = {
  devices: [{ boundAt: new Date(2025, 4, 4, 9).getTime() }, { boundAt: new Date(2026, 5, 9, 9).getTime() }],
  plan: { id: 'premium', until: new Date(2027, 2, 3, 9).getTime(), renewable: false },
  nextAt: null,
  expiresAt: NOW + 30 * 60_000,
  now: NOW,
};

const title = () => screen.getByRole('heading', { level: 2 });
const button = (name: string) => screen.getByRole('button', { name });
const facts = () => [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);

const details = (more: object = {}) => Response.json({ ...DETAILS, ...more });

/** Opens an entry of the browser's history again. */
async function comeBackTo(entry: unknown, path: string) {
  history.pushState(entry, '', path);
  window.dispatchEvent(new PopStateEvent('popstate', { state: entry }));
  await advanceTime(0);
  // The code of its page.
  await advanceTime(0);
}

test('the token is removed from the address at once, and sent only in the body of a request', async () => {
  const asked = await openPage(LINK, { '/api/reset-details': details });

  expect(window.location.href).toMatch(/\/reset-devices\?hwid=device-1&zone=z$/);
  expect(asked.filter(({ path }) => path.startsWith('/api/'))).toEqual([
    { path: '/api/reset-details', method: 'POST', body: JSON.stringify({ token: TOKEN }) },
  ]);
  expect(document.body.innerHTML).not.toContain(TOKEN);
});

test('a pasted token is sent without added formatting', async () => {
  const asked = await openPage(`/reset-devices#t=${encodeURIComponent(`${TOKEN}\u200b>”`)}`, {
    '/api/reset-details': details,
  });

  expect(asked.at(-1)?.body).toBe(JSON.stringify({ token: TOKEN }));
});

test('the page explains a reset before it asks, and then redirects to the page of the result', async () => {
  const asked = await openPage(LINK, {
    '/api/reset-details': details,
    '/api/confirmresetdevices': () => new Response(null, { status: 204 }),
  });

  expect(title().textContent).toBe('Remove these 2 devices?');
  expect(facts()).toEqual([
    'PlanPremium, until 3\u00a0March 2027',
    'Device 1since 4\u00a0May 2025',
    'Device 2since 9\u00a0June',
  ]);
  expect(screen.getByText('You keep your plan and its end date. These devices stop getting keys.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Keep them' }).getAttribute('href')).toBe('/index?hwid=device-1&zone=z');

  await click('Reset devices');
  expect(asked.at(-1)).toEqual({
    path: '/api/confirmresetdevices',
    method: 'POST',
    body: JSON.stringify({ token: TOKEN }),
  });
  expect(screen.getByText('Another part of the site: /resetsuccessV5')).toBeDefined();
});

test('while the devices are reset, a second click is ignored', async () => {
  const asked = await openPage(LINK, { '/api/reset-details': details });
  await click('Reset devices');
  const waiting = button('One moment...');
  fireEvent.click(waiting);
  await advanceTime(0);

  expect(waiting.getAttribute('aria-disabled')).toBe('true');
  expect(asked.filter(({ path }) => path === '/api/confirmresetdevices')).toHaveLength(1);
});

test('one device is written in the singular', async () => {
  await openPage(LINK, { '/api/reset-details': () => details({ devices: DETAILS.devices.slice(1) }) });

  expect(title().textContent).toBe('Remove this device?');
});

test('when a reset is not allowed yet, the page shows from when, by the server’s clock, without a button', async () => {
  const late = 3 * 3_600_000;
  await openPage(LINK, {
    '/api/reset-details': () => details({ now: NOW + late, nextAt: NOW + late + 5 * DAY + 60_000 }),
  });

  expect(title().textContent).toBe('You can reset again on 27\u00a0November at 12:01');
  expect(screen.queryByRole('button')).toBeNull();
});

test('a reset that has become forbidden meanwhile shows its next time, which has the focus', async () => {
  await openPage(LINK, {
    '/api/reset-details': details,
    '/api/confirmresetdevices': () => refuse('RST_LIMIT', 429, { until: NOW + 7 * DAY }),
  });
  await click('Reset devices');

  expect(title().textContent).toBe('You can reset again on 29\u00a0November at 12:00');
  expect(document.activeElement).toBe(title());
  expect(screen.queryByRole('button')).toBeNull();
});

test('a plan without devices offers no reset', async () => {
  await openPage(LINK, { '/api/reset-details': () => details({ devices: [] }) });

  expect(title().textContent).toBe('Your plan isn’t on any device');
  expect(screen.queryByRole('button')).toBeNull();
});

test('a used or expired link is explained, with the way to a new one', async () => {
  await openPage(LINK, { '/api/reset-details': () => refuse('RST_TOKEN', 410) });

  expect(screen.getByRole('alert').textContent).toBe(
    'This link doesn’t work anymore' + 'A link works once, for 30 minutes. If you just used it, it’s done its job.',
  );
  expect(screen.getByRole('link', { name: 'Ask for a new link' }).getAttribute('href')).toBe(
    '/v5?hwid=device-1&zone=z#reset',
  );
});

test('a link that expires while the page is open is explained in place of its button, and has the focus', async () => {
  await openPage(LINK, { '/api/reset-details': details, '/api/confirmresetdevices': () => refuse('RST_TOKEN', 410) });
  await click('Reset devices');

  expect(title().textContent).toBe('This link doesn’t work anymore');
  expect(document.activeElement).toBe(title());
});

test.each(['#reset', '#t=', `#t=${TOKEN.slice(1)}`, `#t=${TOKEN}aa`])(
  'without a whole token (%j) nothing is requested, and the page shows the reason and the advice',
  async (hash) => {
    const asked = await openPage(`/reset-devices${hash}`, { '/api/reset-details': details });

    expect(screen.getByRole('alert').textContent).toBe(
      'Your link got cut off' +
        'Open it in our latest email again, or copy all of it. Still nothing? Ask for a new one.',
    );
    expect(screen.getByRole('link', { name: 'Ask for a new link' })).toBeDefined();
    expect(asked.filter(({ path }) => path.startsWith('/api/'))).toEqual([]);
  },
);

test('who opens the page without a link is led to the email, and told of no failure', async () => {
  await openPage('/reset-devices', { '/api/reset-details': details });

  expect(title().textContent).toBe('Open the link in our email');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('link', { name: 'Ask for a new link' })).toBeDefined();
});

test('a visitor who returns to a link after its reset sees that it was used', async () => {
  let answer: () => Response = details;
  await openPage(LINK, {
    '/api/reset-details': () => answer(),
    '/api/confirmresetdevices': () => new Response(null, { status: 204 }),
  });
  const entry: unknown = history.state;
  await click('Reset devices');
  answer = () => refuse('RST_TOKEN', 410);
  await comeBackTo(entry, '/reset-devices');

  expect(title().textContent).toBe('This link doesn’t work anymore');
});

test('a reloaded page has no token, and asks the visitor to open the link again', async () => {
  await openPage('/redeem', {});
  await comeBackTo({ hadLink: true }, '/claim-plan');

  expect(title().textContent).toBe('Open the link in our email');
});

test('another link of a mail can open in the same tab, without a page load', async () => {
  let answer = () => refuse('RST_TOKEN', 410);
  const asked = await openPage(LINK, { '/api/reset-details': () => answer() });
  answer = details;
  const next = 'b'.repeat(43);
  history.pushState(null, '', `#t=${next}`);
  window.dispatchEvent(new PopStateEvent('popstate'));
  await advanceTime(0);

  expect(title().textContent).toBe('Remove these 2 devices?');
  expect(asked.at(-1)?.body).toBe(JSON.stringify({ token: next }));
  expect(window.location.hash).toBe('');
});

test('a link whose lookup failed can be retried', async () => {
  let answer = (): Response | Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
  await openPage(LINK, { '/api/reset-details': () => answer() });
  expect(screen.getByRole('alert').textContent).toBe(
    'We couldn’t check your linkCheck your connection, then try again.',
  );

  answer = () => refuse('server.unexpected', 500);
  await click('Retry');
  expect(screen.getByRole('alert').textContent).toContain('That’s on us. Try again in a minute.');

  answer = () => refuse('KS_LIMIT', 429, { until: NOW + 60_000 });
  await click('Retry');
  expect(screen.getByRole('alert').textContent).toContain('Too many tries. Try again in 1 minute, at 12:01.');

  answer = () => details();
  await click('Retry');
  expect(title().textContent).toBe('Remove these 2 devices?');
});

test('a failed reset keeps the page, says so, and is retried by the same button', async () => {
  let answer = (): Response | Promise<Response> => refuse('server.busy', 503);
  await openPage(LINK, { '/api/reset-details': details, '/api/confirmresetdevices': () => answer() });
  await click('Reset devices');

  expect(screen.getByRole('alert').textContent).toBe('That didn’t work. Try again.');
  expect(title().textContent).toBe('Remove these 2 devices?');

  answer = () => new Response(null, { status: 204 });
  await click('Retry');
  expect(screen.getByText('Another part of the site: /resetsuccessV5')).toBeDefined();
});

test('a late answer does not redirect a visitor who has left the page', async () => {
  let answer: (response: Response) => void = () => undefined;
  await openPage(LINK, {
    '/api/reset-details': details,
    '/api/confirmresetdevices': () => new Promise<Response>((resolve) => (answer = resolve)),
  });
  fireEvent.click(button('Reset devices'));
  fireEvent.click(screen.getByRole('link', { name: 'Keep them' }));
  await advanceTime(0);
  answer(new Response(null, { status: 204 }));
  await advanceTime(0);

  expect(window.location.pathname).toBe('/index');
});
