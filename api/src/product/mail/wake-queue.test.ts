import { expect, test } from 'vitest';
import { issueCodes } from '#api/product/codes/codes.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { remindOwners } from '#api/product/licences/reminders.ts';
import { buildReseller } from '#api/test/build-rows.ts';
import { buy, press } from '#api/test/product/buyer-steps.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { emails, insertLicence, pseudonyms } from '#api/test/product/insert-licence.ts';
import { askForClaim, askForReset, callWith, EMAIL } from '#api/test/product/link-steps.ts';
import { HWID } from '#api/test/product/visitor-steps.ts';
import type { MailKind } from './mails.ts';

const DAY = 24 * 60 * 60 * 1000;
const [PHONE, TABLET] = ['phone-of-the-owner', 'tablet-of-the-owner'] as const;

/** What queues a mail of each kind. */
const CAUSES: { kind: MailKind; cause: (api: TestApi) => Promise<unknown> }[] = [
  { kind: 'receipt', cause: async (api) => press(api, await buy(api), { action: 'pay' }) },
  { kind: 'redeemed', cause: redeem },
  { kind: 'reset-link', cause: askForReset },
  { kind: 'reset-done', cause: async (api) => callWith(api, '/api/confirmresetdevices', await askForReset(api)) },
  { kind: 'claim-link', cause: (api) => askForClaim(api, TABLET) },
  { kind: 'device-added', cause: async (api) => callWith(api, '/api/confirm-claim', await askForClaim(api, TABLET)) },
  { kind: 'reminder', cause: remind },
];

async function redeem(api: TestApi): Promise<void> {
  await api.db
    .insertInto('reseller')
    .values(buildReseller({ id: 'store' }))
    .execute();
  const batch = { resellerId: 'store', planId: 'basic', count: 1 } as const;
  const issued = await issueCodes({ db: api.db, pseudonyms }, batch, { by: 'test', at: api.now() });
  await api.post('/api/redeem', { email: EMAIL, hwid: HWID, code: issued?.codes[0] });
}

async function remind({ db, mailQueue, now, origin, pass }: TestApi): Promise<void> {
  await createLicencesRepository(db).setReminder('licence', true);
  pass(28 * DAY);
  await remindOwners({ db, emails, mailQueue, baseUrl: () => origin, now }, 10);
}

test.each(CAUSES)('a mail of the kind $kind wakes the queue at once', async ({ kind, cause }) => {
  const api = await createTestApi();
  await insertLicence(api.db, { email: EMAIL, startsAt: api.now() - DAY, hwids: [PHONE] });
  let woken = 0;
  api.mailQueue.onWake(() => woken++);

  await cause(api);

  const mails = await api.mails();
  expect(mails.at(-1)?.kind).toBe(kind);
  await expect.poll(() => woken).toBe(mails.length);
});
