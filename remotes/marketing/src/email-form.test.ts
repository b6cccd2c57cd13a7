import { expect, test } from 'vitest';
import { isEmail } from './email-form.tsx';

test.each(['ada@mail.example', `${'a'.repeat(241)}@mail.example`, 'a.b+c@sub.mail.example', 'ü@ü.example'])(
  'accepts the e-mail address %s',
  (text) => {
    expect(isEmail(text)).toBe(true);
  },
);

test.each([
  '',
  'ada',
  'ada@',
  '@mail.example',
  'ada@mail',
  'a b@mail.example',
  'ada@@mail.example',
  'ada@mail.example\n',
  'a\u0000@mail.example',
  `${'a'.repeat(242)}@mail.example`,
])('rejects %j as an e-mail address', (text) => {
  expect(isEmail(text)).toBe(false);
});
