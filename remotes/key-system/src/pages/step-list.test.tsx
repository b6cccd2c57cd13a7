import { advanceTime, visit } from '@app/testing/visit';
import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import remote from '../remote.ts';
import { DEVICE, open, openBrowserBeforeEach } from '../test/open-page.ts';
import { run, neverAnswer, startServer, stateResponse } from '../test/run-server.ts';

openBrowserBeforeEach();
beforeEach(() => void vi.stubGlobal('sessionStorage', memory()));

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

/** What the strip says. */
const strip = () => document.querySelector('[data-run-strip] h2')?.textContent;

/** How many teeth are being cut. */
const cuts = () => document.querySelectorAll('[data-run-strip] svg > g > circle').length;

test('a run shows which steps are done, which one is current, and which follow', async () => {
  await open(`/key-system-4${DEVICE}`, { run: run(4) });

  expect(strip()).toBe('Key step 4 of 6');
  expect(readSteps('Second series')).toEqual(['Fourth step', 'Fifth stepLocked', 'Sixth stepLocked']);
  expect(teeth()).toEqual(['done', 'done', 'done', 'now', 'next', 'next']);

  cleanup();
  await open(`/key-system-6${DEVICE}`, { run: run(6) });
  expect(readSteps('Second series')).toEqual(['Fourth stepCompleted!', 'Fifth stepCompleted!', 'Sixth step']);
});

test('a done step has a tick and the style of its state', async () => {
  await open(`/key-system-2${DEVICE}`, { run: run(2) });

  const [done, now, next] = [...screen.getByLabelText('First series').children] as HTMLElement[];
  expect(done?.querySelector('svg')).not.toBeNull();
  expect(now?.querySelector('[aria-hidden] > svg')).toBeNull();
  expect([done, now, next].map((step) => step?.dataset['state'])).toEqual(['done', 'now', 'next']);
  expect([done, now, next].map((step) => step?.getAttribute('aria-current'))).toEqual([null, 'step', null]);
  expect([done, now, next].map((step) => step?.dataset['last'])).toEqual(['true', 'false', 'false']);
});

test.each([
  [1, 'First series', 'Second series'],
  [3, 'First series', 'Second series'],
  [4, 'Second series', 'First series'],
  [6, 'Second series', 'First series'],
])('at step %d the steps of its series are listed, and the key shows both', async (step, own, other) => {
  await open(`/key-system-${step}${DEVICE}`, { run: run(step) });

  expect(screen.getByLabelText(own).children).toHaveLength(3);
  expect(screen.queryByLabelText(other)).toBeNull();
  expect(teeth()).toHaveLength(6);
});

test('until the state of the run has loaded, no step is done, and six steps are expected', async () => {
  await open(`/key-system-2${DEVICE}`, neverAnswer);

  expect(strip()).toBe('Key step 2 of 6');
  expect(readSteps('First series')).toEqual(['First stepCompleted!', 'Second step', 'Third stepLocked']);
  const done = screen.getByText('Completed!');
  expect([done.closest('li')?.dataset['state'], done.getAttribute('aria-hidden')]).toEqual(['unknown', 'true']);
  expect(document.querySelector('[data-known]')?.getAttribute('data-known')).toBe('false');
  expect(teeth()).toEqual(['next', 'now', 'next', 'next', 'next', 'next']);
  expect(document.activeElement).toBe(document.body);
});

test('the companion has three steps in one series without a label', async () => {
  await open(`/rosaverx/key-system-2${DEVICE}`, neverAnswer);

  expect(strip()).toBe('RosaverX Key step 2 of 3');
  expect(readSteps('Steps')).toEqual(['First stepCompleted!', 'Second step', 'Third stepLocked']);
  expect(screen.queryByText('Steps')).toBeNull();
});

test.each([
  ['an address beyond the usual steps, until the server has answered', '/rosaverx/key-system-7', neverAnswer, '7 of 7'],
  ['how many steps a new run takes', '/key-system-1', { stepsRequired: 3 }, '1 of 3'],
  ['how many the open run takes', '/key-system-7', { stepsRequired: 3, run: run(7, { of: 9 }) }, '7 of 9'],
])('the strip shows %s', async (_what, path, answer, words) => {
  startServer(typeof answer === 'function' ? answer : stateResponse(answer));
  await visit({ ...remote, routes: { [path]: 'step-page' } }, path + DEVICE);

  expect(strip()).toContain(`Key step ${words}`);
  if (path.endsWith('7')) expect(within(screen.getByLabelText('Key step')).getByText('Step 7').tagName).toBe('H3');
});

test('focuses the heading of the current step, and scrolls to it where it is not in sight', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  await open(`/key-system-2${DEVICE}`, { run: run(2) });

  expect(document.activeElement).toBe(screen.getByText('Second step'));
  expect(scrolled.mock.contexts).toEqual([screen.getByText('Second step')]);
  expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' });
});

test('does not scroll when the visitor has scrolled before', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  vi.stubGlobal('scrollY', 1);
  await open(`/key-system-2${DEVICE}`, { run: run(2) });

  expect(document.activeElement).toBe(document.body);
  expect(scrolled).not.toHaveBeenCalled();
});

test('does not focus the first step', async () => {
  await open(`/key-system-1${DEVICE}`, { run: run(1) });

  expect(document.activeElement).toBe(document.body);
});

test('animates the new tooth after a completed step, and not after a reload', async () => {
  const { answer } = await open(`/key-system-2${DEVICE}`, { run: run(2) });
  expect([teeth()[0], cuts()]).toEqual(['done', 0]);

  answer(stateResponse({ run: run(3) }));
  document.dispatchEvent(new Event('visibilitychange'));
  await advanceTime(0);
  expect([teeth()[1], cuts()]).toEqual(['done', 1]);
  expect([document.querySelector('[data-was]')?.getAttribute('data-was'), strip()]).toEqual(['2', 'Key step 3 of 6']);

  cleanup();
  await visit(remote, `/key-system-3${DEVICE}`);
  expect([teeth()[1], cuts()]).toEqual(['done', 0]);
});

test.each([
  ['is felt', false, 1],
  ['is not felt with reduced motion', true, 0],
])('the cut of a new tooth %s, once it is over', async (_how, isReduced, times) => {
  const vibrate = vi.fn();
  vi.stubGlobal('navigator', { ...navigator, userAgent: '', userActivation: { hasBeenActive: true }, vibrate });
  vi.stubGlobal('matchMedia', () => ({ matches: isReduced, addEventListener() {}, removeEventListener() {} }));
  const { answer } = await open(`/key-system-2${DEVICE}`, { run: run(2) });

  answer(stateResponse({ run: run(3) }));
  document.dispatchEvent(new Event('visibilitychange'));
  await advanceTime(0);
  await advanceTime(1000);
  expect(vibrate).not.toHaveBeenCalled();
  await advanceTime(100);
  expect(vibrate).toHaveBeenCalledTimes(times);
});

test('animates the new tooth in a new document, for each app separately', async () => {
  const { answer } = await open(`/key-system-2${DEVICE}`, { run: run(2) });
  cleanup();

  answer(stateResponse({ app: 'companion', stepsRequired: 3, run: run(3, { of: 3 }) }));
  await visit(remote, `/rosaverx/key-system-3${DEVICE}`);
  expect([teeth(), cuts()]).toEqual([['done', 'done', 'now'], 0]);
  cleanup();

  answer(stateResponse({ run: run(3) }));
  await visit(remote, `/key-system-3${DEVICE}`);
  expect([teeth()[1], cuts()]).toEqual(['done', 1]);
});

test('animates no tooth in a restarted run', async () => {
  const { answer } = await open(`/key-system-4${DEVICE}`, { run: run(4) });
  cleanup();

  answer(stateResponse({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);
  expect([teeth()[0], cuts()]).toEqual(['done', 0]);
});

test('animates no tooth without browser storage', async () => {
  vi.stubGlobal('sessionStorage', undefined);
  await open(`/key-system-3${DEVICE}`, { run: run(3) });

  expect([teeth()[1], cuts()]).toEqual(['done', 0]);
});
