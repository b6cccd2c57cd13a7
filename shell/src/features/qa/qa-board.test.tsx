import { RESOLUTION_ELEMENT_ID } from '@app/contracts/resolution';
import { serve } from '@app/testing/visit';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  RESOLUTION,
  serveQa,
  writeResolution,
  LISTING,
  NOW,
  openPage,
  click,
  show,
  PROBLEM,
  SESSION,
} from '../../test/qa-page.ts';
import { QaBoard } from './qa-board.tsx';
import { pageErrors } from './seen-errors.ts';

const reload = vi.fn<() => void>();

beforeEach(() => {
  const close = openPage();
  vi.spyOn(location, 'reload').mockImplementation(reload.mockReset());
  return close;
});

test('a chosen version and fault are sent, and take effect by a page load', async () => {
  const asked = serveQa({ access: true, session: SESSION });
  await show(<QaBoard />);

  const version = screen.getByLabelText<HTMLSelectElement>('Version of key-system');
  expect(version.value).toBe('1.4.0');
  expect([...version.options].map(({ value }) => value)).toEqual(['', 'stable', '1.5.0', '1.4.0']);
  expect(version.options[3]?.textContent).toMatch(/^1\.4\.0 · .+ · Halted$/);
  expect(version.options[2]?.textContent).not.toContain('Halted');
  fireEvent.change(version, { target: { value: '' } });
  fireEvent.change(screen.getByLabelText('Version of tools'), { target: { value: 'canary' } });
  fireEvent.change(screen.getByLabelText('Simulated fault of tools'), { target: { value: 'corrupt' } });
  await click('Apply');

  expect(asked.at(-1)).toEqual({
    path: '/api/qa/pins',
    method: 'PUT',
    body: JSON.stringify({ pins: { tools: 'canary' }, faults: { tools: 'corrupt' } }),
  });
  expect(reload).toHaveBeenCalledTimes(1);
});

test('before the server answers the board has its layout, or the form where there is no access', async () => {
  serve({ '/api/qa/pins': () => new Promise<Response>(() => {}) });
  await show(<QaBoard />);

  expect(screen.getByLabelText('Version of key-system', { selector: '[inert] *' })).toBeDefined();
  expect(screen.queryByLabelText('Access key')).toBeNull();
  cleanup();

  writeResolution({ ...RESOLUTION, qa: undefined });
  await show(<QaBoard />);
  expect(screen.getByLabelText('Access key')).toBeDefined();
});

test('a withdrawn version is marked in the list', async () => {
  const units = LISTING.units.map((unit) => ({
    ...unit,
    releases: unit.releases.map((one) => ({ ...one, withdrawnAt: one.version === '3.0.0' ? NOW : null })),
  }));
  serveQa({ access: true, session: null }, { ...LISTING, units });
  await show(<QaBoard />);

  const { options } = screen.getByLabelText<HTMLSelectElement>('Version of tools');
  expect([...options].filter((one) => one.textContent.endsWith(' · Withdrawn')).map(({ value }) => value)).toEqual([
    '3.0.0',
  ]);
});

test('an error of the server is shown, and the page stays', async () => {
  const answers = {
    '/api/qa/pins': () => Response.json({ access: true, session: null }),
    '/api/releases': () => Response.json(LISTING),
  };
  serve(answers);
  await show(<QaBoard />);
  answers['/api/qa/pins'] = () =>
    Response.json({ ...PROBLEM, title: 'x', code: 'QA_PIN', detail: 'They do not fit.' }, { status: 409 });

  await click('Apply');

  expect(screen.getByText('They do not fit.').closest('[role=status]')).not.toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

test('leaving removes all pins and reloads the page', async () => {
  const asked = serveQa({ access: true, session: SESSION });
  await show(<QaBoard />);

  await click('Leave');

  expect(asked.at(-1)).toMatchObject({ path: '/api/qa/pins', method: 'DELETE' });
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a browser with shared pins shows and leaves them, and chooses nothing', async () => {
  const asked = serveQa({ access: false, session: { ...SESSION, by: 'share' } });
  await show(<QaBoard />);

  expect(screen.getByText('Someone shared these versions with you, until 22 November, 18:00.')).toBeDefined();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Leave', 'Copy bug report']);
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(asked.map(({ path }) => path)).toEqual(['/api/qa/pins']);
});

test('without access a form asks for the key, and reports a wrong one', async () => {
  const asked = serveQa({ access: false, session: null });
  await show(<QaBoard />);

  fireEvent.change(screen.getByLabelText('Access key'), { target: { value: ' wrong ' } });
  await click('Enter');

  expect(asked.at(-1)).toMatchObject({ path: '/api/qa/access', method: 'POST', body: '{"key":"wrong"}' });
  expect(screen.getByRole('alert').textContent).toBe('Wrong.');
});

test('a bug report has place, time, versions and failures, but no visitor', async () => {
  serveQa({ access: true, session: SESSION });
  history.replaceState(null, '', '/key-system-1?hwid=secret-1&os=ios&zone=secret-2');
  pageErrors.push(new ErrorEvent('error', { message: 'x is not defined' }), ['%o', new TypeError('y is no function')]);
  onTestFinished(() => void pageErrors.splice(0));
  await show(<QaBoard />);

  await click('Copy bug report');

  const report = screen.getByRole('group', { name: 'Bug report' }).textContent;
  expect(report).toContain('Page: /key-system-1?os=ios\n');
  expect(report).toContain(`Time: ${new Date(NOW).toISOString()}`);
  expect(report).toContain('Versions, revision 7:\n  shell 2.0.0 (stable)\n  key-system 1.4.0 (pin)\n');
  expect(report).toContain('  tools 3.1.0 (canary), simulated: slow\n');
  expect(report).toContain(
    `\nThe same versions, with QA access: ${location.origin}/key-system-1?os=ios&pin=shell@2.0.0,key-system@1.4.0,tools@3.1.0\n`,
  );
  expect(report).toMatch(/Last errors:\n {2}x is not defined\n {2}TypeError: y is no function$/);
  expect(report).toContain(`Browser: ${navigator.userAgent}`);
  expect(report).not.toContain('secret');
});

test('the link of a bug report pins at most twelve units, those of the page first, and no local ones', async () => {
  serveQa({ access: true, session: SESSION });
  const names = Array.from({ length: 14 }, (_, index) => `unit-${index}`);
  const unit = (name: string) => ({ version: '1.0.0', source: name === 'unit-0' ? 'local' : 'stable', routes: [] });
  document.getElementById(RESOLUTION_ELEMENT_ID)!.textContent = JSON.stringify({
    revision: 7,
    units: Object.fromEntries(names.map((name) => [name, unit(name)])),
  });
  document.body.insertAdjacentHTML('beforeend', '<div data-unit="unit-13"></div>');
  onTestFinished(() => document.querySelector('[data-unit]')?.remove());
  await show(<QaBoard />);

  await click('Copy bug report');

  const report = screen.getByRole('group', { name: 'Bug report' }).textContent;
  const pinned = ['unit-13', ...names.slice(1, 12)].map((name) => `${name}@1.0.0`);
  expect(report).toContain(`pin=${pinned.join()}\n`);
});

test('a share link is created for the page without the device', async () => {
  const asked = serveQa({ access: true, session: SESSION });
  history.replaceState(null, '', '/key-system-1?hwid=secret-1&os=ios');
  await show(<QaBoard />);

  await click('Copy share link');

  expect(asked.at(-1)).toMatchObject({ path: '/api/qa/share', body: '{"path":"/key-system-1?os=ios"}' });
  expect(screen.getByText('https://site.example/x?pin=a@1.0.0&qa=b')).toBeDefined();
});

test('a unit that fell back is marked', async () => {
  serveQa({ access: true, session: null });
  document.body.insertAdjacentHTML(
    'beforeend',
    '<p data-unit="tools" data-version="3.0.0" data-source="fallback"></p>',
  );
  await show(<QaBoard />);

  expect(screen.getByRole('listitem', { name: 'tools' }).textContent).toContain('3.0.0 Fallback');
  document.querySelector('[data-unit="tools"]')?.remove();
});
