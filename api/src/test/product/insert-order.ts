import { randomUUID } from 'node:crypto';
import type { Db, NewOrder } from '#api/foundation/db/schema.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { T0 } from '#api/test/build-rows.ts';

/** Stores an order of one device: Plus, paid at T0. */
export async function insertOrder(db: Db, changes: Partial<NewOrder> = {}): Promise<string> {
  const { id: deviceId } = await createDevicesRepository(db).ensure('main', 'hwid', T0);
  const id = changes.id ?? randomUUID();
  await db
    .insertInto('purchaseOrder')
    .values({
      id,
      deviceId,
      mode: 2,
      zoneHmac: null,
      amountCents: 299,
      currency: 'eur',
      provider: 'stripe',
      providerRef: `cs_${id}`,
      idemKey: id,
      clientDate: null,
      state: 'paid',
      createdAt: T0,
      paidAt: T0,
      sealedClaim: null,
      providerUrl: null,
      expiresAt: null,
      paymentRef: `pi_${id}`,
      sealedBuyer: null,
      countryCode: null,
      refundedAt: null,
      ...changes,
    })
    .execute();
  return id;
}
