import { expect, test } from 'vitest';
import { joinClasses } from './join-classes.ts';

test('false and undefined class names are left out', () => {
  expect(joinClasses('card', false, undefined, 'wide')).toBe('card wide');
});
