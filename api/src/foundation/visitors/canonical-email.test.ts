import { expect, test } from 'vitest';
import { canonicalEmail } from './pseudonyms.ts';

test.each([
  ['jo@bücher.example', 'jo@xn--bcher-kva.example'],
  ['JO@BU\u0308CHER.Example.', 'jo@xn--bcher-kva.example'],
  ['jo@xn--BCHER-kva.example', 'jo@xn--bcher-kva.example'],
  ['Jo@ｂücher。example', 'jo@xn--bcher-kva.example'],
  ['jose\u0301@mail.example', 'josé@mail.example'],
  ['JOSÉ@MAIL.EXAMPLE', 'josé@mail.example'],
  ['jo@straße.example', 'jo@xn--strae-oqa.example'],
  ['jo@[192.0.2.1]', 'jo@[192.0.2.1]'],
  ['jo@mail.example。', 'jo@mail.example'],
  ['Jo@[IPv6:2001:DB8::1]', 'jo@[ipv6:2001:db8::1]'],
])('%s is the mailbox %s', (email, canonical) => {
  expect(canonicalEmail(email)).toBe(canonical);
  expect(canonicalEmail(canonical)).toBe(canonical);
});

test.each([
  ['jo@straße.example', 'jo@strasse.example'],
  ['jo+a@mail.example', 'jo@mail.example'],
  ['j.o@mail.example', 'jo@mail.example'],
  ['jo@mail.example/a', 'jo@mail.example'],
  ['jo@mail.example\\a', 'jo@mail.example'],
  ['jo@mail.example?a', 'jo@mail.example'],
  ['jo@mail.example#a', 'jo@mail.example'],
  ['jo@%6dail.example', 'jo@mail.example'],
  ['jo@mail.example:25', 'jo@mail.example'],
  ['jo@ශ\u0dca\u200dරී.example', 'jo@ශ\u0dcaරී.example'],
  ['\u1fefjo@mail.example', '`jo@mail.example'],
  ['jo\u037e@mail.example', 'jo;@mail.example'],
])('%s and %s are two mailboxes', (one, other) => {
  expect(canonicalEmail(one)).not.toBe(canonicalEmail(other));
});
