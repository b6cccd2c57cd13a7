import { advanceTime, visit } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import remote from '../remote.ts';
import { openBrowserBeforeEach } from '../test/open-page.ts';
import { failToConnect, run, startServer, stateResponse } from '../test/run-server.ts';

const STEP = '/key-system-2?hwid=device-1&zone=z1';
const STEP_LINK = '/api/keysystemv2?hwid=device-1&advertiser=linkvertise&os=android&zone=z1&step=2';
const UNREACHABLE_TEXT = 'Can’t reach our server. Check your connection, then try again.';
const SERVER_DOWN_TEXT = 'Our server has a problem. Try again in a minute.';

openBrowserBeforeEach();

/** Opens a step whose server answers the question whether it is alive as is said, from the second answer on with 200. */
async function openStep(alive: () => Response | Promise<Response>) {
  startServer(stateResponse({ run: run(2) }));
  const ask = globalThis.fetch;
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    if (address !== '/healthz') return ask(address, init);

    asked.push(`${init?.method} ${init?.cache}`);
    init?.signal?.addEventListener('abort', () => asked.push('given up'));
    return asked.length === 1 ? alive() : new Response('ok');
  });
  const left = vi.spyOn(window.location, 'assign').mockReturnValue();
  await visit(remote, STEP);
  return { asked, left: () => left.mock.calls.flat() };
}

const click = async (words: string, keys = {}) => {
  const isDefault = fireEvent.click(screen.getByText(words), keys);
  await advanceTime(0);
  return isDefault;
};

test('navigates once the server has answered the health check', async () => {
  const { asked, left } = await openStep(() => new Response('ok'));

  expect(await click('Complete')).toBe(false);

  expect(asked).toEqual(['HEAD no-store']);
  expect(left()).toEqual([STEP_LINK]);
  expect(screen.getByText('Opening…').getAttribute('aria-busy')).toBe('true');
});

test.each([
  ['the line is dead', () => Promise.reject(new TypeError('Failed to fetch')), UNREACHABLE_TEXT],
  ['a proxy answers for it', () => new Response('', { status: 502 }), SERVER_DOWN_TEXT],
])('when %s the page stays with a notice, and Retry navigates', async (_what, alive, words) => {
  const { left } = await openStep(alive);
  await click('Complete');

  expect(left()).toEqual([]);
  expect(screen.getByText(words).closest('[role=alert]')).not.toBeNull();
  expect(screen.getByText('Retry').getAttribute('aria-busy')).toBe('false');
  expect(screen.getByText('Retry').getAttribute('href')).toBe(STEP_LINK);
  await click('Retry');
  expect(left()).toEqual([STEP_LINK]);
  expect(screen.queryByText(words)).toBeNull();
});

test('a Retry that fails says when, and the page goes on by itself once the connection is back', async () => {
  const { left } = await openStep(failToConnect);
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string) => (address === '/healthz' ? failToConnect() : answer(address)));
  await click('Complete');
  expect(screen.queryByText(/Still no answer/)).toBeNull();
  await click('Retry');
  expect(screen.getByRole('alert').textContent).toContain('Still no answer · 12:00');

  vi.stubGlobal('fetch', () => Promise.resolve(new Response('ok')));
  window.dispatchEvent(new Event('online'));
  await advanceTime(0);
  expect(left()).toEqual([STEP_LINK]);
});

test('navigates when a proxy answers 404 to the health check', async () => {
  const { left } = await openStep(() => new Response('', { status: 404 }));

  await click('Complete');
  expect(left()).toEqual([STEP_LINK]);
});

test('ignores a second tap for twenty seconds', async () => {
  const { asked, left } = await openStep(() => new Response('ok'));
  await click('Complete');

  await click('Opening…');
  expect(asked).toHaveLength(1);
  await advanceTime(19_999);
  expect(screen.getByText('Opening…')).toBeDefined();
  await advanceTime(1);
  await click('Complete');
  expect(left()).toEqual([STEP_LINK, STEP_LINK]);
});

test.each([
  ['was restored from the back/forward cache', 'Complete', true],
  ['has only just loaded', 'Opening…', false],
])('on a page that %s the link is labelled “%s”', async (_what, words, persisted) => {
  await openStep(() => new Response('ok'));
  await click('Complete');

  fireEvent(window, Object.assign(new Event('pageshow'), { persisted }));
  expect(screen.getByText(words)).toBeDefined();
});

test('does not navigate when the visitor has opened another page meanwhile', async () => {
  let answer: (response: Response) => void = () => undefined;
  const { left } = await openStep(() => new Promise((resolve) => (answer = resolve)));
  await click('Complete');

  history.pushState(null, '', '/privacy-policy');
  answer(new Response('ok'));
  await advanceTime(0);
  expect(left()).toEqual([]);
});

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }])(
  'a click with %o is left to the browser, which opens another tab',
  async (keys) => {
    const { asked } = await openStep(() => new Response('ok'));
    document.addEventListener('click', (event) => event.preventDefault(), { once: true });

    await click('Complete', keys);
    expect(asked).toEqual([]);
    expect(screen.getByText('Complete')).toBeDefined();
  },
);
