import { expect, test } from 'vitest';
import { highlight, type Language } from './highlight.ts';
import { SAMPLE_FILES } from './sample-files.ts';

const tokensOfKind = (kind: string, code: string, language: Language) =>
  highlight(code, language).flatMap((token) => (token.kind === kind ? [token.text] : []));

test.each(Object.values(SAMPLE_FILES).flat())(
  'highlighting leaves the text of $name unchanged',
  ({ language, text }) => {
    const tokens = highlight(text, language);

    expect(tokens.map((token) => token.text).join('')).toBe(text);
  },
);

test.each([
  ['comment', 'typescript', 'a(); // "b"\n/* c\nd */', ['// "b"', '/* c\nd */']],
  ['comment', 'python', 'a("#")  # b', ['# b']],
  ['comment', 'lua', '--[[ a\nb ]] c -- d', ['--[[ a\nb ]]', '-- d']],
  ['comment', 'curl', "curl -d '# a'", []],
  ['keyword', 'kotlin', 'fun a() = "b" // c', ['fun']],
  ['keyword', 'java', "return '\"' + a; /* new */", ['return']],
  ['keyword', 'go', 'if a == `\n"if` {', ['if']],
  // Members with the names of keywords are none.
  ['keyword', 'typescript', 'const a = { type: 1, from?: b.type } as const', ['const', 'as', 'const']],
  ['string', 'typescript', String.raw`fetch('https://a.b/c', "d\"e")`, ["'https://a.b/c'", String.raw`"d\"e"`]],
  ['key', 'json', '{ "status": "active", "of": 6 }', ['"status"', '"of"']],
  ['string', 'json', '{ "status": "active", "of": 6 }', ['"active"']],
  ['number', 'json', '{ "status": "active", "of": 6 }', ['6']],
  ['call', 'lua', 'client:waitForKey(print)', ['waitForKey']],
] as const)('highlights each %s in the %s code %j', (kind, language, code, found) => {
  expect(tokensOfKind(kind, code, language)).toEqual(found);
});
