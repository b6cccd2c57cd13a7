import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CountUp } from './count-up.tsx';
import { ScrambleText } from './scramble-text.tsx';

/** What the component shows to the eye, in a text node. */
const shownText = () => document.querySelector('[aria-hidden]:last-of-type')!.firstChild!;

const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

let intersect: (isIntersecting: boolean, top: number) => void;

beforeEach(() => {
  intersect = () => undefined;
  vi.useFakeTimers();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(changed: IntersectionObserverCallback) {
        intersect = (isIntersecting, top) =>
          changed([{ isIntersecting, boundingClientRect: { top } } as IntersectionObserverEntry], this as never);
      }
      observe() {}
      disconnect() {
        intersect = () => undefined;
      }
    },
  );
});

afterEach(() => {
  cleanup();
});

// A new node at each step makes a browser compute the styles of the whole page, many times a second.
test('phrases are revealed one after another, within one text node', async () => {
  render(<ScrambleText phrases={['It plays for you', 'It writes for you']} />);
  const node = shownText();
  await advanceTime(240);
  expect(node.nodeValue).not.toBe('It plays for you');
  await advanceTime(4000);
  expect(node.nodeValue).toBe('It plays for you');
  await advanceTime(4900);
  expect(node.nodeValue).toBe('It writes for you');
  expect(shownText()).toBe(node);
});

test('a number below the fold counts up when it scrolls into view, within one text node', async () => {
  render(<CountUp value={200} durationMs={900} suffix="+" />);
  const node = shownText();
  intersect(false, 1200);
  expect(node.nodeValue).toBe('200+');
  intersect(true, 600);
  await advanceTime(300);
  expect(Number.parseInt(node.nodeValue ?? '')).toBeLessThan(200);
  await advanceTime(900);
  expect(node.nodeValue).toBe('200+');
  expect(shownText()).toBe(node);
});

test('with reduced motion a number below the fold shows its value at once', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  render(<CountUp value={200} durationMs={900} suffix="+" />);
  intersect(false, 1200);

  expect(shownText().nodeValue).toBe('200+');
});

test.each([
  ['in view', true, 600],
  ['scrolled past', false, -300],
])('a number that is %s on page load never decreases, even with a new value', async (_, isIn, top) => {
  const { rerender } = render(<CountUp value={1000} durationMs={900} suffix="+" />);
  const said: (string | null)[] = [];
  const observer = new MutationObserver(() => said.push(shownText().nodeValue));
  observer.observe(document.body, { subtree: true, characterData: true });
  // The page is that of later test files, too.
  onTestFinished(() => observer.disconnect());
  intersect(isIn, top);
  await advanceTime(300);
  rerender(<CountUp value={1204} durationMs={900} suffix="+" />);
  // It leaves the window, and comes back.
  intersect(false, 1200);
  intersect(true, 600);
  await advanceTime(1200);

  expect(new Set([...said, shownText().nodeValue])).toEqual(new Set(['1204+']));
});
