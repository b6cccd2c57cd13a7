import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CountUp } from './count-up.tsx';
import { ScrambleText } from './scramble-text.tsx';

/** What the component shows to the eye, in a text node. */
const shown = () => document.querySelector('[aria-hidden]:last-of-type')!.firstChild!;

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

let move: (isIntersecting: boolean, top: number) => void;

beforeEach(() => {
  move = () => undefined;
  vi.useFakeTimers();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(changed: IntersectionObserverCallback) {
        move = (isIntersecting, top) =>
          changed([{ isIntersecting, boundingClientRect: { top } } as IntersectionObserverEntry], this as never);
      }
      observe() {}
      disconnect() {
        move = () => undefined;
      }
    },
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// A new node at each step makes a browser compute the styles of the whole page, many times a second.
test('phrases are revealed one after another, within one text node', async () => {
  render(<ScrambleText phrases={['It plays for you', 'It writes for you']} />);
  const node = shown();
  await pass(240);
  expect(node.nodeValue).not.toBe('It plays for you');
  await pass(4000);
  expect(node.nodeValue).toBe('It plays for you');
  await pass(4900);
  expect(node.nodeValue).toBe('It writes for you');
  expect(shown()).toBe(node);
});

test('a number below the fold counts up when it scrolls into view, within one text node', async () => {
  render(<CountUp value={200} durationMs={900} suffix="+" />);
  const node = shown();
  move(false, 1200);
  expect(node.nodeValue).toBe('0+');
  move(true, 600);
  await pass(300);
  expect(Number.parseInt(node.nodeValue ?? '')).toBeLessThan(200);
  await pass(900);
  expect(node.nodeValue).toBe('200+');
  expect(shown()).toBe(node);
});

test('with reduced motion a number below the fold shows its value at once', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  render(<CountUp value={200} durationMs={900} suffix="+" />);
  move(false, 1200);

  expect(shown().nodeValue).toBe('200+');
});

test.each([
  ['in view', true, 600],
  ['scrolled past', false, -300],
])('a number that is %s on page load never decreases, even with a new value', async (_, isIn, top) => {
  const { rerender } = render(<CountUp value={1000} durationMs={900} suffix="+" />);
  const said: (string | null)[] = [];
  const observer = new MutationObserver(() => said.push(shown().nodeValue));
  observer.observe(document.body, { subtree: true, characterData: true });
  // The page is that of later test files, too.
  onTestFinished(() => observer.disconnect());
  move(isIn, top);
  await pass(300);
  rerender(<CountUp value={1204} durationMs={900} suffix="+" />);
  // It leaves the window, and comes back.
  move(false, 1200);
  move(true, 600);
  await pass(1200);

  expect(new Set([...said, shown().nodeValue])).toEqual(new Set(['1204+']));
});
