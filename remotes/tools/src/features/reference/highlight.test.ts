import { expect, test } from 'vitest';
import { FILE_GRAMMARS } from './file-grammars.ts';
import { highlight, type Grammar, type Language } from './highlight.ts';
import { SAMPLE_FILES } from './sample-files.ts';

const FILES = Object.values(SAMPLE_FILES).flatMap((files) =>
  files.map(({ name, text, language }) => [name, language, text] as const),
);

const of = (kind: string, code: string, language: Language | Grammar) =>
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

test.each([
  ['kotlin', 'fun a() = "b" // c', ['fun']],
  ['java', "return '\"' + a; /* new */", ['return']],
  ['go', 'if a == `\n"if` {', ['if']],
] as const)('keywords of %s are found outside of its texts and comments', (language, code, keywords) => {
  expect(of('keyword', code, FILE_GRAMMARS[language])).toEqual(keywords);
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
