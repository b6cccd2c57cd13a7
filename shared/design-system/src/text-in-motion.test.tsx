import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CountUp } from './count-up.tsx';
import { ScrambleText } from './scramble-text.tsx';

/** What the component shows to the eye, in a text node. */
const shown = () => document.querySelector('[aria-hidden]:last-of-type')!.firstChild!;

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #changed: IntersectionObserverCallback;
      constructor(changed: IntersectionObserverCallback) {
        this.#changed = changed;
      }
      observe() {
        this.#changed([{ isIntersecting: true } as IntersectionObserverEntry], this as never);
      }
      disconnect() {}
    },
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// A new node at each step makes a browser compute the styles of the whole page, many times a second.
test('a phrase comes out of random letters within one text node, then the next one', async () => {
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

test('a number counts up within one text node, to its last value', async () => {
  render(<CountUp value={200} durationMs={900} suffix="+" />);
  const node = shown();
  await pass(300);
  expect(Number.parseInt(node.nodeValue ?? '')).toBeLessThan(200);
  await pass(900);
  expect(node.nodeValue).toBe('200+');
  expect(shown()).toBe(node);
});
