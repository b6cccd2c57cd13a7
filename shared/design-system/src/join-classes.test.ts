import { expect, test } from 'vitest';
import { joinClasses } from './join-classes.ts';

test('names that are false or undefined are left out', () => {
  expect(joinClasses('card', false, undefined, 'wide')).toBe('card wide');
});
