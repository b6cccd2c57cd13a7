import { closeBrowser, openBrowser, pass, visit } from '@app/testing/visit';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import remote from '../remote.ts';
import { RECAPTCHA, serveRecaptcha } from '../test/fake-recaptcha.ts';
import { NOW, run, silence, startServer, told } from '../test/run-server.ts';
import { beginPage } from './begin.ts';

const DEVICE = '?hwid=device-1&zone=z1';

beforeEach(() => openBrowser(NOW, { captcha: RECAPTCHA }));
beforeEach(() => void serveRecaptcha());
beforeEach(() => void vi.stubGlobal('sessionStorage', memory()));
afterEach(closeBrowser);

/** What is read in the heads of the steps of one list. */
function readSteps(list: string): (string | null | undefined)[] {
  return [...screen.getByLabelText(list).children].map((step) => step.firstElementChild?.textContent);
}

/** A storage of a tab, empty. */
function memory(): Pick<Storage, 'getItem' | 'setItem'> {
  const stored = new Map<string, string>();
  return { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => void stored.set(name, value) };
}

/** The states of the teeth of the drawn key, from the bow to the tip. */
function teeth(): (string | undefined)[] {
  return [...document.querySelectorAll<SVGGElement>('[data-run-strip] svg > g')].map(({ dataset }) => dataset['state']);
}

/** How many teeth are being cut. */
const cuts = () => document.querySelectorAll('[data-run-strip] svg > g > circle').length;

test('a run shows which steps are done and by whom, which is asked for now, and which come', async () => {
  startServer(told({ run: run(4) }));
  await visit(remote, `/key-system-4${DEVICE}`);

  expect(screen.getByText('Step 4 of 6')).toBeDefined();
  expect(readSteps('First series')).toEqual([
    'First stepCompleted!Rinku',
    'Second stepCompleted!Rinku',
    'Third stepCompleted!Rinku',
  ]);
  expect(readSteps('Second series')).toEqual(['Fourth step', 'Fifth stepLocked', 'Sixth stepLocked']);
  expect(teeth()).toEqual(['done', 'done', 'done', 'now', 'next', 'next']);
  expect(screen.getByText('Halfway, 3 to go')).toBeDefined();
});

test('a visitor without the link of the app sees nothing of a run that another browser has begun', async () => {
  startServer(told({ run: run(2, { own: false }) }));
  await beginPage.preload();
  await visit(remote, '/key-system-2?hwid=device-1');

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your key starts in the app');
  expect(screen.queryByRole('timer')).toBeNull();
});

test('a done step carries a tick, and the style of its state', async () => {
  startServer(told({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);

  const [done, now, next] = [...screen.getByLabelText('First series').children] as HTMLElement[];
  expect(done?.querySelector('svg')).not.toBeNull();
  expect(now?.querySelector('[aria-hidden] > svg')).toBeNull();
  expect([done, now, next].map((step) => step?.dataset['state'])).toEqual(['done', 'now', 'next']);
  expect([done, now, next].map((step) => step?.getAttribute('aria-current'))).toEqual([null, 'step', null]);
});

test.each([
  [1, 'cards', 'chips'],
  [3, 'cards', 'chips'],
  [4, 'chips', 'cards'],
  [6, 'chips', 'cards'],
])('at step %d the open series is wide and the other narrow', async (step, first, second) => {
  startServer(told({ run: run(step) }));
  await visit(remote, `/key-system-${step}${DEVICE}`);

  expect(screen.getByLabelText('First series').className).toContain(first);
  expect(screen.getByLabelText('Second series').className).toContain(second);
  expect(screen.getAllByText(/^(First|Second) series$/).map((label) => label.getAttribute('aria-hidden'))).toEqual([
    'true',
    'true',
  ]);
  expect(screen.queryAllByText(/^Halfway/)).toHaveLength(step === 4 ? 1 : 0);
});

test('until the server has said where the run stands, nothing is called done, and six steps are expected', async () => {
  startServer(silence);
  await visit(remote, `/key-system-2${DEVICE}`);

  expect(screen.getByText('Step 2 of 6')).toBeDefined();
  expect(readSteps('First series')).toEqual(['First step', 'Second step', 'Third stepLocked']);
  expect(teeth()).toEqual(['next', 'now', 'next', 'next', 'next', 'next']);
  expect(document.activeElement).toBe(document.body);
});

test('the companion has three steps and one series, which needs no label', async () => {
  startServer(silence);
  await visit(remote, `/rosaverx/key-system-2${DEVICE}`);

  expect(screen.getByText('Step 2 of 3')).toBeDefined();
  expect(readSteps('Steps')).toEqual(['First step', 'Second step', 'Third stepLocked']);
  expect(screen.queryByText('Steps')).toBeNull();
});

test('an address beyond the usual steps is shown until the server has said better', async () => {
  startServer(silence);
  await visit({ ...remote, routes: { '/rosaverx/key-system-7': 'step-page' } }, `/rosaverx/key-system-7${DEVICE}`);

  expect(screen.getByText('Step 7 of 7')).toBeDefined();
});

test('a device without a run is told how many steps a new one takes', async () => {
  startServer(told({ stepsRequired: 3 }));
  await visit(remote, `/key-system-1${DEVICE}`);

  expect(screen.getByText('Step 1 of 3')).toBeDefined();
});

test('an open run keeps the length that it was begun with, and a step beyond the sixth its number', async () => {
  startServer(told({ stepsRequired: 3, run: run(7, { of: 9 }) }));
  await visit({ ...remote, routes: { '/key-system-7': 'step-page' } }, `/key-system-7${DEVICE}`);

  expect(screen.getByText('Step 7 of 9')).toBeDefined();
  expect(within(screen.getByLabelText('Key step')).getByText('Step 7').tagName).toBe('H3');
});

test('an advertiser that this page does not know is called as the server calls it', async () => {
  startServer(told({ run: run(2, { completed: [{ step: 1, advertiser: 'newcomer', at: NOW, proof: 's2s' }] }) }));
  await visit(remote, `/key-system-2${DEVICE}`);

  expect(readSteps('First series')[0]).toBe('First stepCompleted!newcomer');
});

test('the page leads to the step that the run stands at, and reads its heading', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  startServer(told({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);

  expect(document.activeElement).toBe(screen.getByText('Second step'));
  expect(scrolled.mock.contexts).toEqual([screen.getByText('Second step').closest('li')]);
  expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' });
});

test('a visitor who has scrolled before the state came is left there', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  vi.stubGlobal('scrollY', 1);
  startServer(told({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);

  expect(document.activeElement).toBe(document.body);
  expect(scrolled).not.toHaveBeenCalled();
});

test('at the first step the page begins at its top', async () => {
  startServer(told({ run: run(1) }));
  await visit(remote, `/key-system-1${DEVICE}`);

  expect(document.activeElement).toBe(document.body);
});

test('a tooth is cut when a visitor comes back with one more step, and not when the page is opened again', async () => {
  const { answer } = startServer(told({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);
  expect([teeth()[0], cuts()]).toEqual(['done', 0]);

  answer(told({ run: run(3) }));
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect([teeth()[1], cuts()]).toEqual(['done', 1]);

  cleanup();
  await visit(remote, `/key-system-3${DEVICE}`);
  expect([teeth()[1], cuts()]).toEqual(['done', 0]);
});

test('a visitor who returns in a new document sees the tooth cut, and each app remembers its own run', async () => {
  const { answer } = startServer(told({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);
  cleanup();

  answer(told({ app: 'companion', stepsRequired: 3, run: run(3, { of: 3 }) }));
  await visit(remote, `/rosaverx/key-system-3${DEVICE}`);
  expect([teeth(), cuts()]).toEqual([['done', 'done', 'now'], 0]);
  cleanup();

  answer(told({ run: run(3) }));
  await visit(remote, `/key-system-3${DEVICE}`);
  expect([teeth()[1], cuts()]).toEqual(['done', 1]);
});

test('no tooth is cut in a run that has begun anew', async () => {
  const { answer } = startServer(told({ run: run(4) }));
  await visit(remote, `/key-system-4${DEVICE}`);
  cleanup();

  answer(told({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);
  expect([teeth()[0], cuts()]).toEqual(['done', 0]);
});

test('where the browser forbids storage, the key is shown as it is', async () => {
  vi.stubGlobal('sessionStorage', undefined);
  startServer(told({ run: run(3) }));
  await visit(remote, `/key-system-3${DEVICE}`);

  expect([teeth()[1], cuts()]).toEqual(['done', 0]);
});
