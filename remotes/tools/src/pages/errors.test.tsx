import { closeBrowser, openBrowser, advanceTime, serve, visit } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import remote from '../remote.ts';

const writeText = vi.fn<Clipboard['writeText']>().mockResolvedValue(undefined);

beforeEach(async () => {
  openBrowser(new Date(2026, 2, 10, 12).getTime());
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
  serve({});
  await visit(remote, '/errors');
});
afterEach(closeBrowser);

/** The codes of the errors that the page shows. */
const shownCodes = () => screen.getAllByRole('heading', { level: 3 }).map(({ id }) => id.replace('-heading', ''));

test('a filter hides the errors of other audiences, and counts the visible ones', () => {
  // What a page opens with is no news.
  expect(screen.queryByRole('status')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /^Operators/ }));

  expect(shownCodes()).toEqual(['PAY_SIGNATURE', 'server.incomplete', 'server.full', 'release.store']);
  expect(screen.getByRole('status').textContent).toMatch(/^4 /);
});

test('the list starts with the errors of players only', () => {
  expect(shownCodes()).toContain('KS_FAST');
  for (const code of ['request.invalid', 'request.version', 'route.method', 'PAY_SIGNATURE'])
    expect(shownCodes()).not.toContain(code);
});

test('players read no status and nothing for authors, and others are told who else meets an error', () => {
  expect(screen.queryByText(/Status|Developers:/)).toBeNull();

  fireEvent.click(screen.getByRole('button', { name: /^All/ }));
  expect(screen.getAllByText(/^Status \d+ · Players · Developers$/)).not.toEqual([]);
  expect(screen.getByText(/app again\. Developers: send “hwid” once/)).toBeTruthy();

  fireEvent.click(screen.getByRole('button', { name: /^Developers/ }));
  expect(screen.queryByText(/^Status.*Developers/)).toBeNull();
});

test('a link to an error shows it, whatever the filter was', async () => {
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'KS_FAST' } });
  expect(shownCodes()).toEqual(['KS_FAST']);

  location.hash = '#PAY_ORDER';
  fireEvent.popState(window);
  await advanceTime(0);
  expect(shownCodes()).toContain('PAY_ORDER');
});

test('a click on a code copies it, and a message says so for three seconds', async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Copy KS_FAST' }));
  await advanceTime(0);
  await advanceTime(2999);

  expect(writeText.mock.calls).toEqual([['KS_FAST']]);
  expect(screen.getByRole('status').textContent).toBe('KS_FAST copied');
  await advanceTime(1);
  expect(screen.getByRole('status').textContent).toMatch(/errors$/);
});

test('a second copied code is announced for another three seconds', async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Copy KS_FAST' }));
  await advanceTime(2000);
  fireEvent.click(screen.getByRole('button', { name: 'Copy KS_PROOF' }));
  await advanceTime(2000);

  expect(screen.getByRole('status').textContent).toBe('KS_PROOF copied');
});
