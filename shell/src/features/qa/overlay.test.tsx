import type { RegistryListing } from '@app/contracts/registry';
import { RESOLUTION_ELEMENT_ID, type Resolution } from '@app/contracts/release';
import { closeBrowser, openBrowser, pass, serve } from '@app/testing/visit';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Overlay, toggle } from './overlay.tsx';
import { QaBoard } from './qa-board.tsx';
import { ReleasesBoard } from './releases-board.tsx';
import { seenErrors } from './start-qa.ts';

const NOW = new Date(2026, 10, 22, 10).getTime();
const UNTIL = NOW + 8 * 60 * 60 * 1000;
const ENTRY = { url: '/x.js', integrity: 'sha384-x' };

const RESOLUTION: Resolution = {
  revision: 7,
  units: {
    shell: { version: '2.0.0', source: 'stable', entry: ENTRY, routes: [] },
    'key-system': { version: '1.4.0', source: 'pin', entry: ENTRY, routes: [] },
    tools: { version: '3.1.0', source: 'canary', entry: ENTRY, routes: [], fault: 'slow' },
  },
  qa: { access: true, pins: { 'key-system': '1.4.0' }, until: UNTIL },
};

const SESSION = { pins: { 'key-system': '1.4.0' }, faults: { tools: 'slow' }, until: UNTIL, by: 'link' };

function listed(unit: string, versions: readonly string[], more: Partial<RegistryListing['units'][number]> = {}) {
  return {
    unit,
    paths: [`/${unit}-*`],
    stable: versions[0] ?? null,
    canary: null,
    lastGood: null,
    halted: null,
    lock: null,
    moved: null,
    releases: versions.map((version) => ({
      version,
      publishedAt: NOW,
      publishedBy: 'ci',
      commit: 'a81f9c3e77d2b1',
      contract: '2.2',
      bytes: 120_000,
      change: -4000,
      networks: { served: 120, failed: 3 },
      withdrawnAt: null,
    })),
    ...more,
  };
}

const LISTING = {
  revision: 7,
  units: [
    listed('shell', ['2.0.0']),
    listed('key-system', ['1.5.0', '1.4.0'], {
      lock: { reason: 'Captchas fail', by: 'oncall', at: NOW },
      halted: { version: '1.4.0', reason: '3 of 120 networks', at: NOW },
    }),
    listed('tools', ['3.0.0', '3.1.0'], { canary: { version: '3.1.0', percent: 10, since: NOW } }),
  ],
} satisfies RegistryListing;

const PROBLEM = { type: 'x', status: 409, retryable: false, ref: 'x', now: NOW };

let element: HTMLElement;

beforeEach(() => {
  openBrowser(NOW);
  element = document.createElement('script');
  element.id = RESOLUTION_ELEMENT_ID;
  element.setAttribute('type', 'application/json');
  document.body.append(element);
  show(RESOLUTION);
});
afterEach(() => {
  element.remove();
  closeBrowser();
});

/** Puts a resolution into the document. */
function show(resolution: Resolution): void {
  element.textContent = JSON.stringify(resolution);
}

function answerAs(state: object) {
  return serve({
    '/api/qa/pins': () => Response.json(state),
    '/api/releases': () => Response.json(LISTING),
    '/api/qa/access': () =>
      Response.json(
        { ...PROBLEM, title: 'This needs QA access', code: 'QA_ACCESS', detail: 'Wrong.' },
        { status: 403 },
      ),
    '/api/qa/share': () => Response.json({ link: 'https://site.example/x?pin=a@1.0.0&qa=b', until: UNTIL }),
  });
}

async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await pass(0);
}

test('the badge says what is pinned and until when, and opens the panel, which says why each version is here', async () => {
  answerAs({ access: true, session: SESSION });
  render(<Overlay resolution={RESOLUTION} />);

  const badge = screen.getByRole('button', { name: /^Pinned/ });
  expect(badge.textContent).toBe('Pinned: key-system 1.4.0and 1 moreuntil 18:00');
  fireEvent.click(badge);
  await pass(0);

  const panel = screen.getByRole('dialog');
  expect(within(panel).getByText('Pinned by a link until 18:00.')).toBeDefined();
  const units = within(panel).getAllByRole('listitem');
  expect(units.map(({ firstElementChild }) => firstElementChild?.textContent)).toEqual([
    'shell2.0.0 StableThe stable version, which everybody gets.',
    'key-system1.4.0 PinnedPinned in this browser.',
    'tools3.1.0 CanaryThe canary: this visitor is in its share.',
  ]);

  await press('Close');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Alt+Q opens the panel and closes it', async () => {
  answerAs({ access: true, session: null });
  render(<Overlay resolution={{ ...RESOLUTION, qa: { access: true, pins: {} }, units: {} }} />);
  expect(screen.queryByRole('complementary')).toBeNull();

  act(toggle);
  await pass(0);
  expect(screen.getByRole('dialog')).toBeDefined();
  act(toggle);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a notice stays until somebody closes it', async () => {
  answerAs({ access: true, session: null });
  render(
    <Overlay resolution={{ ...RESOLUTION, units: {}, qa: { access: true, pins: {}, notice: 'x@9 is not there.' } }} />,
  );

  expect(screen.getByText('x@9 is not there.')).toBeDefined();
  await press('Close this notice');
  expect(screen.queryByText('x@9 is not there.')).toBeNull();
});

test('a choice of version and fault is sent, and takes effect by a page load', async () => {
  const asked = answerAs({ access: true, session: SESSION });
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  render(<QaBoard />);
  await pass(0);

  const version = screen.getByLabelText<HTMLSelectElement>('Version of key-system');
  expect(version.value).toBe('1.4.0');
  expect([...version.options].map(({ value }) => value)).toEqual(['', 'stable', '1.5.0', '1.4.0']);
  fireEvent.change(version, { target: { value: '' } });
  fireEvent.change(screen.getByLabelText('Version of tools'), { target: { value: 'canary' } });
  fireEvent.change(screen.getByLabelText('Simulated fault of tools'), { target: { value: 'corrupt' } });
  await press('Apply');

  expect(asked.at(-1)).toEqual({
    path: '/api/qa/pins',
    method: 'PUT',
    body: JSON.stringify({ pins: { tools: 'canary' }, faults: { tools: 'corrupt' } }),
  });
  expect(reload).toHaveBeenCalledTimes(1);
});

test('what the server refuses is said, and the page stays', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  const answers = {
    '/api/qa/pins': () => Response.json({ access: true, session: null }),
    '/api/releases': () => Response.json(LISTING),
  };
  serve(answers);
  render(<QaBoard />);
  await pass(0);
  answers['/api/qa/pins'] = () =>
    Response.json({ ...PROBLEM, title: 'x', code: 'QA_PIN', detail: 'They do not fit.' }, { status: 409 });

  await press('Apply');

  expect(screen.getByText('They do not fit.').closest('[role=status]')).not.toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

test('leaving removes all pins and loads the page', async () => {
  const asked = answerAs({ access: true, session: SESSION });
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  render(<QaBoard />);
  await pass(0);

  await press('Leave');

  expect(asked.at(-1)).toMatchObject({ path: '/api/qa/pins', method: 'DELETE' });
  expect(reload).toHaveBeenCalledTimes(1);
});

test('somebody with shared pins sees and leaves them, and chooses nothing', async () => {
  const asked = answerAs({ access: false, session: { ...SESSION, by: 'share' } });
  render(<QaBoard />);
  await pass(0);

  expect(screen.getByText('Somebody shared these versions with you, until 18:00.')).toBeDefined();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Leave', 'Copy bug report']);
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(asked.map(({ path }) => path)).toEqual(['/api/qa/pins']);
});

test('without access there is a form for the key, which says when it is wrong', async () => {
  const asked = answerAs({ access: false, session: null });
  render(<QaBoard />);
  await pass(0);

  fireEvent.change(screen.getByLabelText('Access key'), { target: { value: ' wrong ' } });
  await press('Enter');

  expect(asked.at(-1)).toMatchObject({ path: '/api/qa/access', method: 'POST', body: '{"key":"wrong"}' });
  expect(screen.getByRole('alert').textContent).toBe('Wrong.');
});

test('a bug report says where, when, which versions, and what failed, but not who', async () => {
  answerAs({ access: true, session: SESSION });
  history.replaceState(null, '', '/key-system-1?hwid=secret-1&os=ios&zone=secret-2');
  seenErrors.push(new ErrorEvent('error', { message: 'x is not defined' }), ['%o', new TypeError('y is no function')]);
  onTestFinished(() => void seenErrors.splice(0));
  render(<QaBoard />);
  await pass(0);

  await press('Copy bug report');

  const report = screen.getByRole('region', { name: 'Bug report' }).textContent;
  expect(report).toContain('Page: /key-system-1?os=ios\n');
  expect(report).toContain(`Time: ${new Date(NOW).toISOString()}`);
  expect(report).toContain('Versions, revision 7:\n  shell 2.0.0 (stable)\n  key-system 1.4.0 (pin)\n');
  expect(report).toContain('  tools 3.1.0 (canary), simulated: slow\n');
  expect(report).toMatch(/Last errors:\n {2}x is not defined\n {2}TypeError: y is no function$/);
  expect(report).toContain(`Browser: ${navigator.userAgent}`);
  expect(report).not.toContain('secret');
});

test('a share link is asked for the page without the device', async () => {
  const asked = answerAs({ access: true, session: SESSION });
  history.replaceState(null, '', '/key-system-1?hwid=secret-1&os=ios');
  render(<QaBoard />);
  await pass(0);

  await press('Copy share link');

  expect(asked.at(-1)).toMatchObject({ path: '/api/qa/share', body: '{"path":"/key-system-1?os=ios"}' });
  expect(screen.getByText('https://site.example/x?pin=a@1.0.0&qa=b')).toBeDefined();
});

test('a unit that fell back in this page says so', async () => {
  answerAs({ access: true, session: null });
  document.body.insertAdjacentHTML(
    'beforeend',
    '<p data-unit="tools" data-version="3.0.0" data-source="fallback"></p>',
  );
  render(<QaBoard />);
  await pass(0);

  expect(screen.getByRole('listitem', { name: 'tools' }).textContent).toContain('3.0.0 Fallback');
  document.querySelector('[data-unit="tools"]')?.remove();
});

test('all releases show who published what, what failed, why a canary was halted, and what is locked', async () => {
  answerAs({ access: true, session: null });
  render(<ReleasesBoard />);
  await pass(0);

  const unit = within(screen.getByRole('region', { name: 'key-system' }));
  expect(unit.getByText('The canary 1.4.0 was halted')).toBeDefined();
  expect(unit.getByText('Locked by oncall')).toBeDefined();
  const [, row] = unit.getAllByRole('row');
  expect(
    within(row ?? document.body)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['1.5.0Stable', 'Nov 22, 10:00 by ci', 'a81f9c3e77', '2.2', '120 kB', '−4 kB', '3 of 120 networks']);
  expect(screen.getByText(/^3\.1\.0 for 10 % since Nov 22/)).toBeDefined();
});
