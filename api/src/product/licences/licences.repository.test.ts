import { expect, test } from 'vitest';
import { buildLicence, buildResetRequest, T0 } from '#api/test/build-rows.ts';
import { insertOrder } from '#api/test/product/insert-order.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createLicencesRepository } from './licences.repository.ts';
import { createResetRequestsRepository } from './reset-requests.repository.ts';

describeEachDatabase('licences', (db) => {
  test('a mail address finds its own licences only, the newest first', async () => {
    const licences = createLicencesRepository(db());
    const rows = [
      buildLicence({ id: 'older' }),
      buildLicence({ id: 'newer', createdAt: T0 + 1 }),
      buildLicence({ id: 'other', emailHmac: 'other', createdAt: T0 + 2 }),
    ];
    await db().insertInto('licence').values(rows).execute();

    expect((await licences.listByEmail('email')).map(({ id }) => id)).toEqual(['newer', 'older']);
    expect(await licences.listByEmail('stranger')).toEqual([]);
  });

  test('listWithoutMailbox lists only licences that a server of the previous release stored', async () => {
    const licences = createLicencesRepository(db());
    await licences.insert(buildLicence({ id: 'new', mailboxHmac: 'mailbox' }));
    await licences.insert(buildLicence({ id: 'unowned', emailHmac: null }));
    await db()
      .insertInto('licence')
      .values(buildLicence({ id: 'earlier' }))
      .execute();

    expect((await licences.listWithoutMailbox(10)).map(({ id }) => id)).toEqual(['earlier']);
  });

  test('the country of a licence is that of its last payment, and unknown without a payment', async () => {
    const licences = createLicencesRepository(db());
    for (const id of ['bought', 'other'])
      await db()
        .insertInto('licence')
        .values(buildLicence({ id, emailHmac: id }))
        .execute();
    const pay = async (countryCode: string | null, paidAt: number) => {
      const orderId = await insertOrder(db(), { countryCode, paidAt });
      const period = { id: orderId, licenceId: 'bought', planId: 'plus', orderId, codeId: null } as const;
      await licences.insertPeriod({ ...period, startsAt: T0, endsAt: T0 + 1, revokedAt: null, revokeReason: null });
    };
    expect(await licences.findCountry('bought')).toBeNull();

    await pay('VN', T0 + 2);
    await pay('DE', T0 + 1);
    await pay(null, T0 + 3);

    expect(await licences.findCountry('bought')).toBe('VN');
    expect(await licences.findCountry('other')).toBeNull();
  });

  test('a token of a licence request is unique', async () => {
    const requests = createResetRequestsRepository(db());
    await db()
      .insertInto('licence')
      .values(buildLicence({ id: 'licence' }))
      .execute();
    await requests.insert(buildResetRequest({ tokenHash: 'same' }));

    await expect(requests.insert(buildResetRequest({ tokenHash: 'same' }))).rejects.toThrow();
    expect(await db().selectFrom('resetRequest').selectAll().execute()).toHaveLength(1);
  });
});
