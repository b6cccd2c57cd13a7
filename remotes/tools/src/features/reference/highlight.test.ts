import { expect, test } from 'vitest';
import { highlight, type Language } from './highlight.ts';
import { SAMPLE_FILES } from './sample-files.ts';

const FILES = Object.entries(SAMPLE_FILES).flatMap(([language, files]) =>
  files.map(({ name, text }) => [name, language as keyof typeof SAMPLE_FILES, text] as const),
);

const of = (kind: string, code: string, language: Language) =>
  highlight(code, language)
    .filter((token) => token.kind === kind)
    .map(({ text }) => text);

test.each(FILES)('the colours of %s leave its text as it is', (_name, language, code) => {
  expect(
    highlight(code, language)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code);
});

test.each([
  ['typescript', 'a(); // "b"\n/* c\nd */', ['// "b"', '/* c\nd */']],
  ['python', 'a("#")  # b', ['# b']],
  ['lua', '--[[ a\nb ]] c -- d', ['--[[ a\nb ]]', '-- d']],
  ['curl', "curl -d '# a'", []],
] as const)('a comment of %s ends where it ends', (language, code, comments) => {
  expect(of('comment', code, language)).toEqual(comments);
});

test('no address in quotes begins a comment, and no escaped quote ends a string', () => {
  expect(of('string', String.raw`fetch('https://a.b/c', "d\"e")`, 'typescript')).toEqual([
    "'https://a.b/c'",
    String.raw`"d\"e"`,
  ]);
});

test('keys of JSON have another colour than its texts', () => {
  const json = '{ "status": "active", "of": 6 }';

  expect(of('key', json, 'json')).toEqual(['"status"', '"of"']);
  expect(of('string', json, 'json')).toEqual(['"active"']);
  expect(of('number', json, 'json')).toEqual(['6']);
});

test('a member with the name of a keyword is no keyword', () => {
  expect(of('keyword', 'const a = { type: 1, from?: b.type } as const', 'typescript')).toEqual([
    'const',
    'as',
    'const',
  ]);
});

test('what is called has the colour of calls', () => {
  expect(of('call', 'client:waitForKey(print)', 'lua')).toEqual(['waitForKey']);
});
