import { closeBrowser, openBrowser, advanceTime, serve, visit } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import type { RunStats } from '@app/contracts/stats-schemas';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import remote from '../remote.ts';

const NOW = Date.UTC(2026, 11, 31, 12);
const TOKEN = `stats_${'a'.repeat(32)}`;
const PATH = '/api/stats/runs?days=30';

const STATS: RunStats = {
  app: 'main',
  days: 30,
  now: NOW,
  countedUntil: NOW - 20 * 60_000,
  steps: [
    { step: 1, sent: 2000, returned: 1700, credited: 1500, refused: 100, lost: 300 },
    { step: 2, sent: 1500, returned: 1400, credited: 1350, refused: 30, lost: 100 },
  ],
  advertisers: [
    { advertiser: 'rinku', sent: 500, returned: 400, credited: 350, refused: 20, lost: 100 },
    { advertiser: 'linkvertise', sent: 3000, returned: 2700, credited: 2500, refused: 110, lost: 300 },
    { advertiser: 'brand-new', sent: 1, returned: 0, credited: 0, refused: 0, lost: 1 },
  ],
  keys: [
    { day: '2026-12-30', issued: 1200, withdrawn: 3 },
    { day: '2026-12-31', issued: 150, withdrawn: 0 },
  ],
};
const ok =
  (stats: Partial<RunStats> = {}) =>
  () =>
    Response.json({ ...STATS, ...stats });
const refuse = (status: number, code: string) => () => Response.json({ code, title: code, status }, { status });

beforeEach(() => openBrowser(NOW));
afterEach(closeBrowser);
afterEach(() => sessionStorage.clear());

function enterToken(token: string) {
  const button = screen.getByRole('button', { name: 'Show my numbers' });
  button.focus();
  fireEvent.change(screen.getByLabelText('Read token'), { target: { value: token } });
  fireEvent.click(button);
  return advanceTime(0);
}

type Answers = Record<string, () => Response | Promise<Response>>;

/** Opens the figures of the app, as they are answered. */
async function openFigures(answers: Answers = { [PATH]: ok() }) {
  const asked = serve(answers);
  await visit(remote, '/stats');
  await enterToken(TOKEN);
  return asked;
}

const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name, hidden: true }))
    .getAllByRole('row', { hidden: true })
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '));

test('an example of made-up numbers is there until the real ones are', async () => {
  serve({ [PATH]: ok() });
  await visit(remote, '/stats');
  expect(screen.getByRole('region', { name: 'An example' }).textContent).toMatch(/Made-up numbers.*1,200 sent/);

  await enterToken(TOKEN);
  expect(screen.queryByRole('region', { name: 'An example' })).toBeNull();
});

test('the page asks for a token in a password field, and requests nothing', async () => {
  const asked = serve({ [PATH]: ok() });
  await visit(remote, '/stats');

  expect(screen.getByLabelText<HTMLInputElement>('Read token').type).toBe('password');
  expect(asked).toEqual([]);
});

test('with a token the funnel, the advertisers and the keys are shown, each with its table', async () => {
  serve({ [PATH]: ok() });
  await visit(remote, '/stats');
  await enterToken(` ${TOKEN}\n`);

  expect(rowsOf('Step by step')).toEqual([
    'Step | Sent | Came back | Credited | Refused | Lost',
    'Step 1 | 2,000 | 1,700 | 1,500 | 100 | 300',
    'Step 2 | 1,500 | 1,400 | 1,350 | 30 | 100',
  ]);
  expect(rowsOf('Advertisers side by side').slice(1)).toEqual([
    'Linkvertise | 3,000 | 2,700 | 2,500 | 110 | 300',
    'Rinku | 500 | 400 | 350 | 20 | 100',
    'brand-new | 1 | 0 | 0 | 0 | 1',
  ]);
  expect(rowsOf('Keys a day').slice(1)).toEqual(['31\u00a0Dec | 150 | 0', '30\u00a0Dec | 1,200 | 3']);
  expect(screen.getByText('2,000 sent, 75% credited')).toBeTruthy();
  expect(screen.getByText('1,350 keys handed out, 3 withdrawn')).toBeTruthy();
});

test('bars and their parts are proportional to their numbers', async () => {
  await openFigures();

  const [first, second] = [
    ...screen.getByRole('region', { name: 'Step by step' }).querySelectorAll('svg[viewBox$=" 1"]'),
  ];
  const widths = (bar: Element | undefined) =>
    [...(bar?.children ?? [])].map((part) => [part.getAttribute('x'), part.getAttribute('width')].join('+'));
  expect(widths(first)).toEqual(['0+1500', '1500+100', '1600+100', '1700+300']);
  expect(second?.getAttribute('viewBox')).toBe('0 0 2000 1');
  expect(widths(second)).toEqual(['0+1350', '1350+30', '1380+20', '1400+100']);
});

test('the highest bar of keys fills the chart, withdrawn keys included', async () => {
  await openFigures({ [PATH]: ok({ keys: [{ day: '2026-12-31', issued: 2, withdrawn: 8 }] }) });

  const bars = screen.getByRole('region', { name: 'Keys a day' }).querySelectorAll('svg rect');
  expect([...bars].map((bar) => bar.getAttribute('height'))).toEqual(['25', '100']);
});

test('another range is requested, and the numbers stay until the new ones arrive', async () => {
  const answers: Answers = { [PATH]: ok() };
  const asked = await openFigures(answers);
  fireEvent.click(screen.getByRole('button', { name: '7 days' }));
  await advanceTime(0);
  expect(screen.getByText('2,000 sent, 75% credited')).toBeTruthy();
  expect(screen.getByRole('button', { name: '7 days' }).getAttribute('aria-pressed')).toBe('true');

  answers['/api/stats/runs?days=90'] = ok({ steps: [], advertisers: [], keys: [] });
  fireEvent.click(screen.getByRole('button', { name: '90 days' }));
  await advanceTime(0);

  expect(asked.map(({ path }) => path)).toEqual([PATH, '/api/stats/runs?days=7', '/api/stats/runs?days=90']);
  expect(screen.getByText('Nothing here yet')).toBeTruthy();
});

test('a link with the token in its fragment loads the numbers without moving the focus, and loses the token at once', async () => {
  serve({ [PATH]: ok() });
  await visit(remote, `/stats?lang=en#token=${TOKEN}`);

  expect(location.href).not.toContain('stats_');
  expect(location.search).toBe('?lang=en');
  expect(screen.getByRole('region', { name: 'Step by step' })).toBeTruthy();
  expect(JSON.stringify(localStorage)).not.toContain(TOKEN);
  expect(document.cookie).not.toContain(TOKEN);
  // Nobody asked for the figures on this page.
  expect(document.activeElement).toBe(document.body);
  expect(screen.getByText('Here are the last 30 days.').closest('[role=status]')).toBeTruthy();
});

test('a second link in the same tab replaces the token', async () => {
  const tokens: unknown[] = [];
  vi.stubGlobal('fetch', (_path: string, { headers }: { headers: Record<string, string> }) => {
    tokens.push(headers['authorization']);
    return Promise.resolve(ok()());
  });
  const other = `stats_${'b'.repeat(32)}`;
  await visit(remote, `/stats#token=${TOKEN}`);

  history.pushState({}, '', `/stats#token=${other}`);
  fireEvent(window, new PopStateEvent('popstate', { state: {} }));
  await advanceTime(0);

  expect(tokens).toEqual([`Bearer ${TOKEN}`, `Bearer ${other}`]);
  expect(location.hash).toBe('');
});

test('the token is sent only in its header, is kept for the tab, and can be forgotten', async () => {
  const headers: unknown[] = [];
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    headers.push([path, init?.headers]);
    return Promise.resolve(ok()());
  });
  sessionStorage.setItem('stats-token', TOKEN);
  await visit(remote, '/stats');
  expect(headers).toEqual([[PATH, { authorization: `Bearer ${TOKEN}` }]]);

  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));

  expect(screen.getByLabelText('Read token')).toBeTruthy();
  expect(sessionStorage.getItem('stats-token')).toBeNull();
});

test.each(['', 'stats_short', `deploy_${'a'.repeat(32)}`])(
  '“%s” is rejected as a token, and not sent',
  async (text) => {
    const asked = serve({});
    await visit(remote, `/stats#token=${text}`);

    expect(screen.getByRole('alert').textContent).toContain('That’s not a whole read token.');
    expect(location.hash).toBe('');
    expect(asked).toEqual([]);
  },
);

test.each([
  { code: 'stats.token_unknown', said: 'We don’t know this token.' },
  { code: 'stats.token_expired', said: 'This token doesn’t work anymore.' },
])('a token that is rejected with $code can be replaced', async ({ code, said }) => {
  const answers: Answers = { [PATH]: refuse(401, code) };
  await openFigures(answers);
  expect(screen.getByRole('alert').textContent).toContain(said);

  answers[PATH] = ok();
  await enterToken(`stats_${'b'.repeat(32)}`);

  expect(screen.getByText('2,000 sent, 75% credited')).toBeTruthy();
});

test.each([
  {
    what: 'the server cannot be reached',
    answer: () => Promise.reject(new TypeError()),
    said: 'Can’t reach our server',
  },
  { what: 'there were too many tries', answer: refuse(429, 'KS_LIMIT'), said: 'That was a lot of tries' },
  { what: 'the server fails', answer: refuse(500, 'server.unexpected'), said: 'Something broke on our side' },
])('when $what, the page says so and retries on request', async ({ answer, said }) => {
  const answers: Answers = { [PATH]: answer };
  await openFigures(answers);
  expect(screen.getByText(said)).toBeTruthy();

  answers[PATH] = ok();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await advanceTime(0);

  expect(screen.getByText('2,000 sent, 75% credited')).toBeTruthy();
  expect(screen.queryByText(said)).toBeNull();
});

test('without any counts the page says so', async () => {
  await openFigures({ [PATH]: ok({ countedUntil: 0, steps: [], advertisers: [], keys: [] }) });

  expect(screen.getByText('We’ve only just begun to count. Look again in a few minutes.')).toBeTruthy();
});

test('focus moves to the loaded figures, stays on the range, and returns to the field', async () => {
  await openFigures({ [PATH]: ok(), '/api/stats/runs?days=7': ok() });
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'App main' }));

  const week = screen.getByRole('button', { name: '7 days' });
  week.focus();
  fireEvent.click(week);
  await advanceTime(0);
  expect(screen.getByText('Here are the last 7 days.')).toBeTruthy();
  expect(document.activeElement).toBe(week);

  const forget = screen.getByRole('button', { name: 'Sign out' });
  forget.focus();
  fireEvent.click(forget);
  expect(document.activeElement).toBe(screen.getByLabelText('Read token'));
  expect(screen.getByLabelText<HTMLInputElement>('Read token').value).toBe('');
});

test('a wrong token stays in its focused field with the reason', async () => {
  serve({ [PATH]: refuse(401, 'stats.token_unknown') });
  await visit(remote, '/stats');

  for (const [text, said] of [
    ['stats_short', /not a whole read token/],
    [TOKEN, /don’t know this token/],
    ['stats_short', /not a whole read token/],
  ] as const) {
    await enterToken(text);
    expect(screen.getByRole('alert').textContent).toMatch(said);
    expect(screen.getByLabelText<HTMLInputElement>('Read token').value).toBe(text);
    expect(document.activeElement).toBe(screen.getByLabelText('Read token'));
  }
});

test('focus moves to the advice about a failure, stays on Retry, and moves on to the numbers', async () => {
  const answers: Answers = { [PATH]: () => Promise.reject(new TypeError()) };
  await openFigures(answers);
  expect(document.activeElement?.textContent).toBe('Check your connection, then try again.');

  const retry = screen.getByRole('button', { name: 'Try again' });
  retry.focus();
  fireEvent.click(retry);
  await advanceTime(0);
  expect(document.activeElement).toBe(retry);

  answers[PATH] = ok();
  fireEvent.click(retry);
  await advanceTime(0);
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'App main' }));
});
