import { expect, test } from 'vitest';
import { buildLicence, buildResetRequest, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { createLicencesRepository } from './licences.repository.ts';

describeEachDatabase('licences', (db) => {
  test('an address finds its newest licence, and nobody else’s', async () => {
    const licences = createLicencesRepository(db());
    const rows = [
      buildLicence({ id: 'older' }),
      buildLicence({ id: 'newer', createdAt: T0 + 1 }),
      buildLicence({ id: 'other', emailHmac: 'other', createdAt: T0 + 2 }),
    ];
    await db().insertInto('licence').values(rows).execute();

    expect(await licences.findByEmail('email')).toEqual({ id: 'newer' });
    expect(await licences.findByEmail('stranger')).toBeUndefined();
  });

  test('one token belongs to one request', async () => {
    const licences = createLicencesRepository(db());
    await db()
      .insertInto('licence')
      .values(buildLicence({ id: 'licence' }))
      .execute();
    await licences.recordReset(buildResetRequest({ tokenHash: 'same' }));

    await expect(licences.recordReset(buildResetRequest({ tokenHash: 'same' }))).rejects.toThrow();
    expect(await db().selectFrom('resetRequest').selectAll().execute()).toHaveLength(1);
  });
});
