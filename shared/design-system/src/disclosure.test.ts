import { expect, test } from 'vitest';
import { afterToggle } from './disclosure.tsx';

test('opening an item closes the open one', () => {
  expect(afterToggle('risk', 'scripts', true)).toBe('scripts');
});

test('closing the open item leaves all closed', () => {
  expect(afterToggle('risk', 'risk', false)).toBeUndefined();
});

test('a late close event of another item is ignored', () => {
  expect(afterToggle('scripts', 'risk', false)).toBe('scripts');
});
