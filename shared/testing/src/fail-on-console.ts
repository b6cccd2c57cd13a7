import { afterEach, beforeEach, expect, vi } from 'vitest';

const loggedErrors: string[] = [];

// A component test fails when React warns, such as of markup that browsers correct. A test that expects an error in the
// console puts a spy of its own there.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    loggedErrors.push(parts.map(String).join(' '));
  });
});

afterEach(() => {
  expect(loggedErrors.splice(0)).toEqual([]);
});
