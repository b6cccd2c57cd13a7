import { expect, test } from 'vitest';
import { ask, hostAsks, type Ask } from './ask-request.ts';

const question = { title: 'Open the app?', text: 'You leave this page.', ok: 'OK', cancel: 'Cancel' };

test('a question reaches the host, and its answer comes back', async () => {
  const page = new EventTarget();
  hostAsks(page, ({ title, answer }) => answer(title === 'Open the app?'));

  expect(await ask(question, page)).toBe(true);
});

test('only one of two hosts takes a question', async () => {
  const page = new EventTarget();
  const taken: Ask[] = [];
  hostAsks(page, (asked) => taken.push(asked));
  hostAsks(page, (asked) => taken.push(asked));

  const answer = ask(question, page);
  taken[0]?.answer(false);

  expect(taken).toHaveLength(1);
  expect(await answer).toBe(false);
});

test('a question in a page without a host fails at once instead of waiting for ever', async () => {
  const page = new EventTarget();
  hostAsks(page, () => undefined)();

  await expect(ask(question, page)).rejects.toThrow('No <AskHost>');
});
