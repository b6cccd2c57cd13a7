import { expect, test } from 'vitest';
import { afterToggle } from './disclosure.tsx';

test('opening one closes the one that was open', () => {
  expect(afterToggle('risk', 'scripts', true)).toBe('scripts');
});

test('closing the open one leaves none open', () => {
  expect(afterToggle('risk', 'risk', false)).toBeUndefined();
});

test('a late report that another item closed changes nothing', () => {
  expect(afterToggle('scripts', 'risk', false)).toBe('scripts');
});
