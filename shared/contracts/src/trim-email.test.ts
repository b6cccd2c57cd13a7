import { expect, test } from 'vitest';
import { trimEmail } from './trim-email.ts';

test.each([
  ['ada@mail.example', 'ada@mail.example'],
  [' \u00a0ada@mail.example\t', 'ada@mail.example'],
  ['\u200eada\u200b@mail.exa\u00admple\ufeff', 'ada@mail.example'],
  ['mailto:ada@mail.example', 'ada@mail.example'],
  ['MAILTO:ada@mail.example', 'ada@mail.example'],
  ['<ada@mail.example>', 'ada@mail.example'],
  ['Lovelace, Ada <ada@mail.example> ', 'ada@mail.example'],
  ['<mailto:ada@mail.example?subject=hi>', 'ada@mail.example'],
  ['mailto:ada@mail.example?subject=hi', 'ada@mail.example'],
  ['`ada@mail.example`', 'ada@mail.example'],
  ['“ada@mail.example”,', 'ada@mail.example'],
  ['<ada@mail.example', 'ada@mail.example'],
  ['(ada@mail.example);', 'ada@mail.example'],
  ['ada@[192.0.2.1]', 'ada@[192.0.2.1]'],
  ["'ada'@mail.example", "'ada'@mail.example"],
  ["o'ada@mail.example", "o'ada@mail.example"],
  ['(ada)@mail.example', '(ada)@mail.example'],
  ['ada@mail.example.', 'ada@mail.example'],
  ['ada@mail.example。', 'ada@mail.example'],
  ['ada@ශ\u0dca\u200dරී.example', 'ada@ශ\u0dca\u200dරී.example'],
  ['Ada <ada@mail.example>, Bob <bob@mail.example>', 'Ada <ada@mail.example>, Bob <bob@mail.example'],
  ['no address', 'no address'],
])('trims %j to the e-mail address %j', (copied, address) => {
  expect(trimEmail(copied)).toBe(address);
});

test('what trimming takes away grows with the text, not with its square', () => {
  expect(trimEmail(`x${'>'.repeat(1_000_000)}x`)).toHaveLength(1_000_002);
  expect(trimEmail('>'.repeat(1_000_000))).toBe('');
});
