import { expect, test } from 'vitest';
import { createTestApi, TEST_PEPPER, type TestApi } from '#api/test/create-test-api.ts';
import { emails, insertLicence } from '#api/test/product/insert-licence.ts';
import { listEvents } from '#api/test/product/link-steps.ts';
import { createLicencesRepository } from './licences.repository.ts';
import { remindOwners } from './reminders.ts';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A site with two licences of one mailbox and one of another, whose owners all want to be reminded. */
async function openSite(): Promise<TestApi> {
  const api = await createTestApi();
  const owners = { one: 'ada@example.com', two: 'Ada@Example.com', other: 'bo@example.com' };
  for (const [id, email] of Object.entries(owners)) {
    await insertLicence(api.db, { id, email, startsAt: api.now() - 28 * DAY });
    await createLicencesRepository(api.db).setReminder(id, true);
  }
  return api;
}

async function listReminded({ db }: TestApi): Promise<string[]> {
  const rows = await db.selectFrom('licence').select('id').where('wantsReminder', '=', 1).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

const linkOf = (licenceId: string) => `/api/unsubscribe?t=${emails.signUnsubscribe(licenceId)}`;

test('the link of a reminder asks first, and its button ends the reminders of every licence of the mailbox', async () => {
  const api = await openSite();

  const page = await api.visit(linkOf('one'));
  const text = await page.text();
  expect([page.status, page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
    200,
    'no-store',
    'no-referrer',
  ]);
  expect(text).toContain('<h1>Stop the reminders?</h1>');
  expect(text).toContain(`<form method="post" action="${linkOf('one')}">`);
  expect(await listReminded(api)).toEqual(['one', 'other', 'two']);

  const done = await api.visit(linkOf('one'), undefined, 'POST');
  expect(await done.text()).toContain('<h1>Reminders are off</h1>');
  expect(await listReminded(api)).toEqual(['other']);
});

test('a mail program unsubscribes with one POST as in RFC 8058, and a repeated POST changes nothing', async () => {
  const api = await openSite();
  const post = () =>
    api.ask(linkOf('two'), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });

  expect([(await post()).status, (await post()).status]).toEqual([200, 200]);

  expect(await listReminded(api)).toEqual(['other']);
  expect(await listEvents(api.db)).toEqual(['unsubscribed', 'unsubscribed']);
});

test('threat 50: a forged unsubscribe link changes nothing and gets the same answer for every licence', async () => {
  const api = await openSite();
  const [, signature = ''] = emails.signUnsubscribe('one').split('.');
  const forged = ['', 'one', `one.${'a'.repeat(43)}`, `two.${signature}`, `one.${signature}x`, 'nothing.', '.'];

  for (const token of forged)
    for (const method of ['GET', 'POST']) {
      const res = await api.visit(`/api/unsubscribe?t=${token}`, { accept: 'text/html' }, method);
      expect([res.status, (await res.text()).includes('This link doesn’t work anymore')]).toEqual([410, true]);
    }
  expect(await listReminded(api)).toEqual(['one', 'other', 'two']);
});

test('an unsubscribed owner gets no reminder, and the link for a removed licence does nothing', async () => {
  const api = await openSite();
  const mailQueue = createMailQueue(TEST_PEPPER);
  await api.visit(linkOf('one'), undefined, 'POST');
  expect((await api.visit(linkOf('erased'), undefined, 'POST')).status).toBe(200);

  await remindOwners({ db: api.db, emails, mailQueue, baseUrl: () => api.origin, now: api.now }, 10);

  const sent = await api.mails();
  expect(sent.map(({ to }) => to)).toEqual(['bo@example.com']);
  const unsubscribe = sent[0]?.unsubscribe ?? '';
  expect(unsubscribe.startsWith(`${api.origin}/api/unsubscribe?t=other.`)).toBe(true);
  await api.ask(unsubscribe, { method: 'POST' });
  expect(await listReminded(api)).toEqual([]);
});
