import { afterEach, beforeEach, expect, vi } from 'vitest';

const logged: string[] = [];

// A component test fails when React warns, such as of markup that browsers correct. A test that expects an error in the
// console puts a spy of its own there.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    logged.push(parts.map(String).join(' '));
  });
});

afterEach(() => {
  expect(logged.splice(0)).toEqual([]);
});
