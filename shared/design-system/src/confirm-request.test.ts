import { expect, test } from 'vitest';
import { acceptConfirms, requestConfirm, type ConfirmRequest } from './confirm-request.ts';

const options = { title: 'Open the app?', text: 'You leave this page.', ok: 'OK', cancel: 'Cancel' };

test('a request reaches the host, and its answer comes back', async () => {
  const page = new EventTarget();
  acceptConfirms(page, ({ title, answer }) => answer(title === 'Open the app?'));

  expect(await requestConfirm(options, page)).toBe(true);
});

test('only one of two hosts gets a request', async () => {
  const page = new EventTarget();
  const accepted: ConfirmRequest[] = [];
  acceptConfirms(page, (request) => accepted.push(request));
  acceptConfirms(page, (request) => accepted.push(request));

  const answer = requestConfirm(options, page);
  accepted[0]?.answer(false);

  expect(accepted).toHaveLength(1);
  expect(await answer).toBe(false);
});

test('a request in a page without a host fails at once instead of waiting indefinitely', async () => {
  const page = new EventTarget();
  acceptConfirms(page, () => undefined)();

  await expect(requestConfirm(options, page)).rejects.toThrow('No <ConfirmHost>');
});
