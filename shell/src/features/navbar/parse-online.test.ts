import { expect, test } from 'vitest';
import { parseOnline } from './parse-online.ts';

test('a count is read from its message', () => {
  expect(parseOnline('{"online":42}')).toBe(42);
});

test.each(['', 'nonsense', 'null', '[]', '{}', '{"online":"42"}', '{"online":null}', '{"online":1e999}'])(
  'the malformed message %j is ignored',
  (message) => {
    expect(parseOnline(message)).toBeUndefined();
  },
);
