import { expect, test } from 'vitest';
import { HWID_PATTERN } from './key-system.ts';
import { readPasted, readWrapped } from './read-pasted.ts';

const TOKEN = 'AB12-cd_34.e:f';

test.each([
  ['zero-width spaces and joiners', 'AB\u200b12\u200c-cd\u200d_34.e:f'],
  ['soft hyphens', 'AB12-\u00adcd_34\u00ad.e:f'],
  ['a byte order mark', '\ufeffAB12-cd_34.e:f'],
  ['marks and isolates of direction', '\u2066\u200eAB12-\u202acd_34.e:f\u202c\u2069\u061c'],
  ['variation selectors', '\ufe0fAB12-cd_34\ufe0e.e:f\ufe0f'],
  ['word joiners', 'AB12\u2060-cd_34.e:f'],
  ['white space', ' \tAB12-cd_34.e:f\r\n'],
  ['spaces that do not break, and thin ones', '\u00a0\u202fAB12-cd_34.e:f\u2009\u3000'],
  ['straight quotes', `"AB12-cd_34.e:f'`],
  ['typographic quotes', '“‘AB12-cd_34.e:f’”'],
  ['German and French quotes', '„»AB12-cd_34.e:f«“'],
  ['quotes of one angle, and Japanese ones', '‹「AB12-cd_34.e:f」›'],
  ['accents and primes as quotes', '´″‵AB12-cd_34.e:f‵′ʼ'],
  ['code of a chat', '```AB12-cd_34.e:f```'],
  ['bold text of a chat', '**AB12-cd_34.e:f**'],
  ['a hidden and struck text of a chat', '||~~AB12-cd_34.e:f~~||'],
  ['angle brackets', '<AB12-cd_34.e:f>'],
  ['other brackets', '([{AB12-cd_34.e:f}])'],
  ['all of it at once', ' “\u200b<`AB12-cd_34.e:f`>\u00a0” '],
  ['a hyphen that does not break', 'AB12\u2011cd_34.e:f'],
  ['an en dash', 'AB12–cd_34.e:f'],
  ['an em dash', 'AB12—cd_34.e:f'],
  ['a minus', 'AB12−cd_34.e:f'],
  ['full-width forms', '＜ＡＢ１２－ｃｄ＿３４．ｅ：ｆ＞'],
])('a pasted token with %s is normalized', (_what, pasted) => {
  expect(readPasted(pasted)).toBe(TOKEN);
});

test('keeps every character that is allowed in a token, at any position', () => {
  const letters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const ours = letters.filter((letter) => HWID_PATTERN.test(letter.repeat(6)));
  expect(ours).toHaveLength(26 + 26 + 10 + 4);

  for (const letter of ours)
    for (const token of [`${letter}abcdef`, `abc${letter}def`, `abcdef${letter}`, letter.repeat(6)]) {
      expect(readPasted(token)).toBe(token);
      expect(readWrapped(token)).toBe(token);
    }
});

test.each([
  ['that was shortened', 'device…1234'],
  ['that was shortened with other dots', 'device‥1234'],
  ['that was shortened with dots of vertical text', 'device︰1234'],
  ['that was shortened with three of those', 'device︙1234'],
  ['with its label', 'Device ID: device-1234'],
  ['in a sentence', 'It is device-1234'],
  ['with a letter of another alphabet', 'dеvice-1234'],
  ['with quotes inside', 'device"1234'],
  ['that is nothing but quotes', '“”'],
])('a pasted device id %s stays invalid', (_what, pasted) => {
  expect(readPasted(pasted)).not.toMatch(HWID_PATTERN);
});

test('keeps white space inside a device id, and removes it from a wrapped code or key', () => {
  expect(readPasted(' AB12\n cd ')).toBe('AB12\n cd');
  expect(readWrapped(' AB12\u200b\r\n\u00a0cd\u2009\u3000ef ')).toBe('AB12cdef');
});

test('keeps quotes and brackets inside a text of any length', () => {
  const long = `${'("'.repeat(4000)}x${'("'.repeat(4000)}`;

  expect(readPasted(`${long}y`)).toHaveLength(2 + 8000);
});
