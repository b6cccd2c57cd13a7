import { expect, test } from 'vitest';
import { joinClasses } from './join-classes.ts';

test('what does not apply leaves no trace', () => {
  expect(joinClasses('card', false, undefined, 'wide')).toBe('card wide');
});
