import { expect, test } from 'vitest';
import { explainRefusal, isEmail } from './request-reset.ts';

test.each(['ada@mail.example', 'a.b+c@sub.mail.example', 'ü@ü.example'])('%s is an e-mail address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each(['', 'ada', 'ada@', '@mail.example', 'ada@mail', 'a b@mail.example', 'ada@@mail.example', 'ada@mail.example\n'])('%j is none', (text) => {
  expect(isEmail(text)).toBe(false);
});

test('each refusal of the server has its words', () => {
  expect(explainRefusal('No active subscriptions or licenses.')).toBe('Error: could not reset devices. No active subscriptions or licenses.');
  expect(explainRefusal('Please enter a valid email.')).toBe('Please enter a valid email.');
  for (const body of ['', '{"title":"Too many"}', '<html>']) expect(explainRefusal(body)).toBe('Error: could not reset devices. Try again later.');
});
