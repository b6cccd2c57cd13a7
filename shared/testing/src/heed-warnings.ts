import { afterEach, expect } from 'vitest';

const logged: string[] = [];

// A component test fails when React warns, such as of markup that browsers correct. This is no spy, because tests
// restore all spies; a test that expects an error in the console spies on it.
console.error = (...parts: unknown[]) => {
  logged.push(parts.map(String).join(' '));
};

afterEach(() => {
  expect(logged.splice(0)).toEqual([]);
});
