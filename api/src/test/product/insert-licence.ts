import { sql } from 'kysely';
import type { Db } from '#api/foundation/db/schema.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const pseudonyms = createPseudonyms(TEST_PEPPER);
export const emails = createEmailCipher(TEST_PEPPER, pseudonyms);

interface LicenceToInsert {
  id?: string;
  email?: string;
  /** The ids of the devices that are bound to it, each with a plan key. */
  hwids?: readonly string[];
  startsAt: number;
  endsAt?: number;
}

/** A licence with one period of 30 days, its devices, and a plan key for each of them. */
export async function insertLicence(
  db: Db,
  { id = 'licence', email = 'ada@example.com', hwids = [], startsAt, endsAt = startsAt + 30 * DAY_MS }: LicenceToInsert,
): Promise<void> {
  const licences = createLicencesRepository(db);
  await licences.insert({
    id,
    ...emails.stored(id, email),
    createdAt: startsAt,
  });
  const buyer = await createDevicesRepository(db).ensure('main', `buyer of ${id}`, startsAt);
  const orderId = `order of ${id}`;
  await sql`INSERT INTO purchase_order (id, device_id, mode, amount_cents, provider, idem_key, state, created_at)
    VALUES (${orderId}, ${buyer.id}, 2, 299, 'stripe', ${orderId}, 'paid', ${startsAt})`.execute(db);
  await licences.insertPeriod({
    id: `period of ${id}`,
    licenceId: id,
    planId: 'plus',
    orderId,
    codeId: null,
    startsAt,
    endsAt,
    revokedAt: null,
    revokeReason: null,
  });
  for (const hwid of hwids) {
    const { id: deviceId } = await createDevicesRepository(db).ensure('main', pseudonyms.hwid(hwid), startsAt);
    await licences.bind(id, deviceId, startsAt);
    await db
      .insertInto('accessKey')
      .values({
        jti: `key of ${hwid}`,
        appId: 'main',
        deviceId,
        runId: null,
        licenceId: id,
        kid: 'test-key',
        jws: 'jws',
        issuedAt: startsAt,
        expiresAt: endsAt,
        revokedAt: null,
      })
      .execute();
  }
}
