import express from 'express';
import { expect, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { handleError, sayWhenUnreadable } from './handle-error.ts';

test.each([
  { status: 400, told: 400, text: 'Unreadable' },
  { status: 499, told: 400, text: 'Unreadable' },
  { status: 302, told: 500, text: undefined },
  { status: 500, told: 500, text: undefined },
])('an error with the status $status is answered with $told', async ({ status, told, text }) => {
  const failing = express.Router().use(() => {
    throw Object.assign(new Error('Thrown by a parser'), { status });
  });
  const origin = await listen(
    express()
      .use('/plain', failing, sayWhenUnreadable('Unreadable'))
      .use(failing)
      .use(handleError(() => undefined)),
  );

  expect((await fetch(origin)).status).toBe(told);
  const plain = await fetch(`${origin}/plain`);
  expect(plain.status).toBe(told);
  if (text !== undefined) expect(await plain.text()).toBe(text);
  else expect(await plain.text()).not.toContain('Unreadable');
});
