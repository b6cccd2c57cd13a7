import { expect, test } from 'vitest';
import { runPagePath } from './pages.ts';

test('each app has key pages of its own', () => {
  expect(runPagePath('main', 4)).toBe('/key-system-4');
  expect(runPagePath('companion', 'getkey')).toBe('/rosaverx/key-system-getkey');
});
