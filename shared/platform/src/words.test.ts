import { compileMessage } from '@lingui/message-utils/compileMessage';
import { expect, test, vi } from 'vitest';
import { defineWords, locale } from './words.ts';

/** Compiles a catalogue like the build does. */
function compileCatalogue<Id extends string>(catalogue: Record<Id, string>): Record<Id, string> {
  const entries = Object.entries<string>(catalogue).map(([id, message]) => [id, compileMessage(message)]);
  return Object.fromEntries(entries) as Record<Id, string>;
}

const en = compileCatalogue({
  hello: 'Hello',
  step: 'Step {step} of {of}',
  days: '{days, plural, one {# day} other {# days}}',
  keys: '{keys, number} keys',
});

test('a message is looked up by its id', () => {
  expect(defineWords({ en })('hello')).toBe('Hello');
});

test('placeholders and plurals are filled in', () => {
  const words = defineWords({ en });

  expect(words('step', { step: 2, of: 6 })).toBe('Step 2 of 6');
  expect([words('days', { days: 1 }), words('days', { days: 7 })]).toEqual(['1 day', '7 days']);
});

test('integers and decimals have thousands separators', () => {
  const words = defineWords({ en });

  expect([7, 999, 1000, 1_234_567, -4321].map((days) => words('days', { days }))).toEqual([
    '7 days',
    '999 days',
    '1,000 days',
    '1,234,567 days',
    '-4,321 days',
  ]);
  expect([1234, 1234.5, 'many'].map((keys) => words('keys', { keys }))).toEqual([
    '1,234 keys',
    '1,234.5 keys',
    'many keys',
  ]);
});

test('a translation replaces a text, with the plurals and numbers of its language', () => {
  vi.stubGlobal('translations', {
    locale: 'de',
    texts: { shop: compileCatalogue({ hello: 'Hallo', days: '{days, plural, one {# Tag} other {# Tage}}' }) },
  });
  const words = defineWords({ en: { ...en, '': 'shop' } });

  expect([words('hello'), words('days', { days: 1 }), words('days', { days: 1234 })]).toEqual([
    'Hallo',
    '1 Tag',
    '1.234 Tage',
  ]);
});

test('an untranslated text stays in English, with English plurals and numbers', () => {
  vi.stubGlobal('translations', { locale: 'de', texts: { shop: {}, other: compileCatalogue({ hello: 'Hallo' }) } });
  const words = defineWords({ en: { ...en, '': 'shop' } });

  expect([words('hello'), words('keys', { keys: 1234 })]).toEqual(['Hello', '1,234 keys']);
});

test('a text stays in English when the translations did not load', () => {
  vi.stubGlobal('translations', { locale: 'de' });

  expect(defineWords({ en: { ...en, '': 'shop' } })('hello')).toBe('Hello');
});

test('dates and numbers outside texts are in the language of the page', () => {
  expect(locale()).toBe('en-GB');
  vi.stubGlobal('translations', { locale: 'vi', texts: {} });
  expect(locale()).toBe('vi');
});
