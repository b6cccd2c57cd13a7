import { expect, test } from 'vitest';
import { parseLocatedJson } from './reseller-file.ts';

test.each([
  'null',
  ' [ ] ',
  '{}',
  '[1, -2.5e3, "a\\"\\u00e9\\n", true, false, null]',
  '{"a": {"b": [{}, [[]]]}, "": "x"}',
  '{"__proto__": 1}',
])('the reseller file parser reads %s as JSON.parse does', (text) => {
  expect(parseLocatedJson(text).value).toEqual(JSON.parse(text));
});

test('every value has its line number, and a missing value that of its parent', () => {
  const { lineOf } = parseLocatedJson('[\n  {\n    "name": "a",\n    "tags": [\n      "x"\n    ]\n  },\n  {}\n]\n');

  expect(lineOf([])).toBe(1);
  expect(lineOf([0])).toBe(2);
  expect(lineOf([0, 'name'])).toBe(3);
  expect(lineOf([0, 'tags', 0])).toBe(5);
  expect(lineOf([1])).toBe(8);
  expect(lineOf([1, 'name'])).toBe(8);
});

test.each([
  ['', 'line 1: the end is not JSON'],
  ['[\n1,\n]', 'line 3: ] is not JSON'],
  ['[\n1\n2]', 'line 3: a comma or ] is missing'],
  ['{\n"a": 1\n"b": 2}', 'line 3: a comma or } is missing'],
  ['{\n"a" 1}', 'line 2: a colon is missing after a'],
  ['{\n"a": 1,\n"a": 2}', 'line 3: a is named twice'],
  ["{\n'a': 1}", 'line 2: a name in quotes is missing'],
  ['{"a": 1,\n}', 'line 2: a name in quotes is missing'],
  ['["a\n"]', 'line 1: " is not JSON'],
  ['["a]', 'line 1: " is not JSON'],
  ['[nul]', 'line 1: nul is not JSON'],
  ['[01]', 'line 1: 01 is not JSON'],
  ['[]\n[]', 'line 2: nothing may follow here'],
])('the reseller file %j is rejected: %s', (text, why) => {
  expect(() => parseLocatedJson(text)).toThrow(why);
  expect(() => {
    if (!why.includes('twice')) JSON.parse(text);
    else throw new SyntaxError();
  }).toThrow(SyntaxError);
});
