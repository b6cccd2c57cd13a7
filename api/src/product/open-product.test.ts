import { expect, onTestFinished, test } from 'vitest';
import { startJobs } from '#api/foundation/module.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { leaveForLootlabs } from '#api/test/product/leave-for-lootlabs.ts';
import { emails, insertLicence } from '#api/test/product/insert-licence.ts';
import { askForReset, DAY, EMAIL, kindsOf, PHONE } from '#api/test/product/link-steps.ts';
import { readState } from '#api/test/product/visitor-steps.ts';

/** Does the work in the background that a server does. */
function work({ modules }: TestApi): void {
  for (const job of startJobs(modules)) onTestFinished(() => job[Symbol.asyncDispose]());
}

test('a mail is sent as soon as it is queued', async () => {
  const sent: string[] = [];
  const api = await createTestApi({ sendMail: (_id, { kind }) => Promise.resolve(void sent.push(kind)) });
  await insertLicence(api.db, { startsAt: api.now() });
  work(api);

  await askForReset(api);

  expect(sent).toEqual(['reset-link']);
});

test('a proof that an advertiser confirmed before the minimum time is credited in the background', async () => {
  const { api, postBack } = await leaveForLootlabs();
  expect((await postBack({})).status).toBe(200);
  expect(await readState(api)).toMatchObject({ run: { step: 1 } });
  api.pass(60_000);

  work(api);

  await expect.poll(() => readState(api)).toMatchObject({ run: { step: 2 } });
});

test('reminders are sent, and mailboxes of the previous release are filled, in the background', async () => {
  const api = await createTestApi();
  await insertLicence(api.db, { startsAt: api.now() - 28 * DAY, hwids: [PHONE] });
  await api.db.updateTable('licence').set({ wantsReminder: 1, mailboxHmac: null }).execute();

  work(api);

  await expect.poll(() => kindsOf(api)).toEqual(['reminder']);
  await expect
    .poll(() => api.db.selectFrom('licence').select('mailboxHmac').execute())
    .toEqual([{ mailboxHmac: emails.hmac(EMAIL) }]);
});

test('a stopping server finishes pending writes first', async () => {
  const api = await createTestApi({ resetPrivacy: 'strict' });
  await insertLicence(api.db, { startsAt: api.now() });
  let free = () => {};
  const taken = api.db.transaction().execute(() => new Promise<void>((resolve) => (free = resolve)));
  expect((await api.post('/api/requestresetdevices', { email: EMAIL })).status).toBe(200);

  const closed = api.site.background.drain(5000);
  free();
  await Promise.all([taken, closed]);

  expect(await kindsOf(api)).toEqual(['reset-link']);
});
