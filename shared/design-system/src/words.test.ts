import { expect, test, vi } from 'vitest';
import { t } from './words.ts';

test('a message is looked up by its id', () => {
  expect(t('confirm.ok')).toBe('OK');
});

test('the placeholders of a message are filled in', () => {
  expect(t('carousel.place', { caption: 'Plus', number: 2, count: 3 })).toBe('Plus, 2 of 3');
});

test('a translation replaces a text, and untranslated texts stay in English', () => {
  const translated = { 'carousel.place': [['number'], ' von ', ['count'], ': ', ['caption']] };
  vi.stubGlobal('translations', { locale: 'de', texts: { 'design-system': translated } });

  expect(t('carousel.place', { caption: 'Plus', number: 2, count: 3 })).toBe('2 von 3: Plus');
  expect(t('confirm.cancel')).toBe('Cancel');
});

test('a text stays in English where only other catalogues are translated', () => {
  vi.stubGlobal('translations', { locale: 'de', texts: { shell: { 'confirm.cancel': ['Nein'] } } });

  expect(t('confirm.cancel')).toBe('Cancel');
});

test('a text stays in English when the translations did not load', () => {
  vi.stubGlobal('translations', { locale: 'vi' });

  expect(t('confirm.ok')).toBe('OK');
});
