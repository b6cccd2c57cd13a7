import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';
import { createMailSender } from '#api/product/mail/mail-sender.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { buildDeviceAdded } from '#api/product/mail/mails.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { openTerminal } from '#api/test/programs/open-terminal.ts';

test('a failed mail is listed without its address, and mail send resets its retries', async () => {
  const { api, say, type, ask } = await openTerminal();
  const mailQueue = createMailQueue(TEST_PEPPER);
  const mails = createMailsRepository(api.db);
  const reader = { to: 'ada@example.com', country: null };
  await mailQueue.add({ mails }, buildDeviceAdded({ reader, device: 'device-1234', until: 0 }), api.now());
  const isAway = { yes: true };
  const sent: string[] = [];
  const sender = createMailSender({
    db: api.db,
    mailQueue,
    send: (_id, { to }) =>
      isAway.yes
        ? Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }))
        : Promise.resolve(void sent.push(to)),
    log: pino({ enabled: false }),
    now: api.now,
  });
  const sendDue = () => sender.sendDue(new AbortController().signal);
  await sendDue();
  isAway.yes = false;
  await sendDue();
  expect(sent).toEqual([]);

  const { out } = await type('mail', 'list');
  expect(out).toMatch(/ device-added +\d{4}-.* 1 +\d{4}-.* ECONNREFUSED$/);
  expect(out).not.toContain('ada@');
  expect(await say('mail', 'send')).toEqual([0, expect.stringMatching(/^1 mail is due/) as string]);
  expect(await ask('mail', 'list')).toMatchObject([{ tries: 0, nextTryAt: api.now() }]);
  await sendDue();

  expect(sent).toEqual(['ada@example.com']);
  expect(await ask('mail', 'send')).toEqual({ due: 0 });
});
