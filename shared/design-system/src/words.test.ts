import { expect, test } from 'vitest';
import { t } from './words.ts';

test('a message is looked up by its id', () => {
  expect(t('confirm.ok')).toBe('OK');
});

test('the placeholders of a message are filled in', () => {
  expect(t('carousel.place', { caption: 'Plus', number: 2, count: 3 })).toBe('Plus, 2 of 3');
});
