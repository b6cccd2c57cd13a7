import { advanceTime } from '@app/testing/visit';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import type { Resolution } from '@app/contracts/resolution';
import { beforeEach, expect, test, vi } from 'vitest';
import { serveQa, openPage, click, NOW, RESOLUTION, SESSION } from '../../test/qa-page.ts';
import { Overlay, toggleOverlay } from './overlay.tsx';

beforeEach(openPage);

test('the badge names pins and their expiry, and opens the panel with the reason of each version', async () => {
  serveQa({ access: true, session: SESSION });
  render(<Overlay resolution={RESOLUTION} />);

  const badge = screen.getByRole('button', { name: /^Pinned/ });
  expect(badge.textContent).toBe('Pinned: key-system 1.4.0and 1 moreuntil 18:00');
  fireEvent.click(badge);
  await advanceTime(0);

  const panel = screen.getByRole('dialog');
  expect(within(panel).getByText('Pinned by a link until 22 November, 18:00.')).toBeDefined();
  const units = within(panel).getAllByRole('listitem');
  expect(units.map(({ firstElementChild }) => firstElementChild?.textContent)).toEqual([
    'shell2.0.0 StableThe stable version, which everybody gets.',
    'key-system1.4.0 PinnedPinned in this browser.',
    'tools3.1.0 CanaryThe canary: this visitor is in its share.',
  ]);

  await click('Close');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the badge names lost pins first, also those lost later', async () => {
  serveQa({ access: true, session: SESSION });
  const pins = { 'key-system': '1.4.0', tools: '3.0.0' };
  render(<Overlay resolution={{ ...RESOLUTION, qa: { access: true, pins } }} />);

  // The page has a canary of tools: the server has dropped the pin.
  expect(screen.getByRole('button').textContent).toBe('Not as pinned: tools 3.0.0and 2 more');

  document.body.insertAdjacentHTML(
    'beforeend',
    '<p data-unit="key-system" data-version="1.5.0" data-source="fallback">',
  );
  await advanceTime(0);
  expect(screen.getByRole('button').textContent).toBe('Not as pinned: key-system 1.4.0and 2 more');
  document.querySelector('[data-unit="key-system"]')?.remove();
});

test('Alt+Q opens and closes the panel', async () => {
  serveQa({ access: true, session: null });
  render(<Overlay resolution={{ ...RESOLUTION, qa: { access: true, pins: {} }, units: {} }} />);
  expect(screen.queryByRole('complementary')).toBeNull();

  act(toggleOverlay);
  await advanceTime(0);
  expect(screen.getByRole('dialog')).toBeDefined();
  act(toggleOverlay);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a notice stays until it is closed', async () => {
  serveQa({ access: true, session: null });
  render(
    <Overlay resolution={{ ...RESOLUTION, units: {}, qa: { access: true, pins: {}, notice: 'x@9 is not there.' } }} />,
  );

  expect(screen.getByText('x@9 is not there.')).toBeDefined();
  await click('Close this notice');
  expect(screen.queryByText('x@9 is not there.')).toBeNull();
});

test('the badge of a preview names its expiry and missing units, and leads out', async () => {
  const asked = serveQa({ access: false, session: null });
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  const [first, second] = ['1.5.0-preview.0a1b2c3d4e5f', '3.2.0-preview.ffffffffffff'];
  const units = { ...RESOLUTION.units, tools: { ...RESOLUTION.units['tools'], version: second } };
  const qa = { access: false, pins: { 'key-system': first, tools: second }, until: NOW };
  render(<Overlay resolution={{ ...RESOLUTION, units, qa } as Resolution} />);

  const badge = screen.getByRole('complementary', { name: 'Preview' });
  // The page has a canary of tools.
  expect(badge.textContent).toBe(`Not on this page: preview of tools ${second}and 1 moreuntil 22 November, 10:00Leave`);
  await click('Leave');
  expect(asked.at(-1)).toMatchObject({ path: '/api/qa/pins', method: 'DELETE' });
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the badge names a preview whose units the page has', () => {
  serveQa({ access: false, session: null });
  const pins = { 'key-system': '1.5.0-preview.0a1b2c3d4e5f' };
  render(<Overlay resolution={{ ...RESOLUTION, qa: { access: false, pins, until: NOW } }} />);

  expect(screen.getByText('Preview of key-system 1.5.0-preview.0a1b2c3d4e5f')).toBeDefined();
  expect(screen.queryByText(/Pinned/)).toBeNull();
});
