import type { ExpressionBuilder } from 'kysely';
import type { Database, Db, LicenceRow, NewLicence, NewPeriod, PeriodRow } from '#api/foundation/db/schema.ts';

export type LicencesRepository = ReturnType<typeof createLicencesRepository>;

export function createLicencesRepository(db: Db) {
  /** The devices that are bound to a licence, the oldest binding first. */
  function listDevices(licenceId: string): Promise<{ deviceId: string; boundAt: number }[]> {
    return db
      .selectFrom('licenceDevice')
      .select(['deviceId', 'boundAt'])
      .where('licenceId', '=', licenceId)
      .where('unboundAt', 'is', null)
      .orderBy('boundAt')
      .execute();
  }

  return {
    /** The licences of an email address, the newest first. */
    listByEmail(emailHmac: string): Promise<LicenceRow[]> {
      return selectLicence(db).where(matchesMailbox(emailHmac)).orderBy('createdAt', 'desc').execute();
    },

    find(id: string): Promise<LicenceRow | undefined> {
      return selectLicence(db).where('id', '=', id).executeTakeFirst();
    },

    /** The licence of an email address, or an unowned one (null), that a device is bound to. */
    findBound(deviceId: string, emailHmac: string | null): Promise<LicenceRow | undefined> {
      return selectLicence(db)
        .where(emailHmac === null ? (eb) => eb('emailHmac', 'is', null) : matchesMailbox(emailHmac))
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('licenceDevice')
            .select('licenceId')
            .where('deviceId', '=', deviceId)
            .where('unboundAt', 'is', null),
        )
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    async insert(licence: NewLicence): Promise<void> {
      await db.insertInto('licence').values(licence).execute();
    },

    /** At most `limit` licences with an address whose mailbox is not noted. */
    listWithoutMailbox(limit: number): Promise<LicenceRow[]> {
      return selectLicence(db)
        .where('mailboxHmac', 'is', null)
        .where('emailHmac', 'is not', null)
        .limit(limit)
        .execute();
    },

    async setMailbox(id: string, mailboxHmac: string | null): Promise<void> {
      await db.updateTable('licence').set({ mailboxHmac }).where('id', '=', id).execute();
    },

    /** Locks a licence until the transaction ends, so that changes of its periods and devices come one by one. */
    async lock(id: string): Promise<void> {
      await db
        .updateTable('licence')
        .set((eb) => ({ createdAt: eb.ref('createdAt') }))
        .where('id', '=', id)
        .execute();
    },

    async setReminder(id: string, wantsReminder: boolean): Promise<void> {
      await db
        .updateTable('licence')
        .set({ wantsReminder: wantsReminder ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    },

    /** At most `limit` licences that end between two moments, whose owner wants to know and has not been told. */
    listEnding(
      { after, before }: { after: number; before: number },
      limit: number,
    ): Promise<(Pick<LicenceRow, 'id' | 'emailEnc'> & { until: number })[]> {
      return db
        .selectFrom('licence')
        .innerJoin('licencePeriod', 'licencePeriod.licenceId', 'licence.id')
        .select(['licence.id', 'licence.emailEnc'])
        .select((eb) => eb.fn.max('licencePeriod.endsAt').as('until'))
        .where('licence.wantsReminder', '=', 1)
        .where('licence.emailEnc', 'is not', null)
        .where('licencePeriod.revokedAt', 'is', null)
        .groupBy('licence.id')
        .having((eb) => eb.fn.max('licencePeriod.endsAt'), '>', after)
        .having((eb) => eb.fn.max('licencePeriod.endsAt'), '<=', before)
        .having((eb) =>
          eb.or([
            eb('licence.remindedOf', 'is', null),
            eb('licence.remindedOf', '<>', eb.fn.max('licencePeriod.endsAt')),
          ]),
        )
        .limit(limit)
        .execute();
    },

    /** Notes that an owner is told of the end; false when told before, or not interested any more. */
    async noteReminder(id: string, until: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('licence')
        .set({ remindedOf: until })
        .where('id', '=', id)
        .where('wantsReminder', '=', 1)
        .where((eb) => eb.or([eb('remindedOf', 'is', null), eb('remindedOf', '<>', until)]))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    listPeriods(licenceId: string): Promise<PeriodRow[]> {
      return db
        .selectFrom('licencePeriod')
        .selectAll()
        .where('licenceId', '=', licenceId)
        .orderBy('startsAt')
        .execute();
    },

    /**
     * The periods of every licence that a device is bound to.
     * @param hwidHmac the device, whose row of the main app is the bound one
     */
    listPeriodsOfDevice(hwidHmac: string, endingAfter: number): Promise<PeriodRow[]> {
      return db
        .selectFrom('device')
        .innerJoin('licenceDevice', 'licenceDevice.deviceId', 'device.id')
        .innerJoin('licencePeriod', 'licencePeriod.licenceId', 'licenceDevice.licenceId')
        .selectAll('licencePeriod')
        .where('device.appId', '=', 'main')
        .where('device.hwidHmac', '=', hwidHmac)
        .where('licenceDevice.unboundAt', 'is', null)
        .where('licencePeriod.revokedAt', 'is', null)
        .where('licencePeriod.endsAt', '>', endingAfter)
        .orderBy('licencePeriod.startsAt')
        .execute();
    },

    findPeriod(id: string): Promise<PeriodRow | undefined> {
      return db.selectFrom('licencePeriod').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** The country that a licence was paid in last, as two letters; null when that is not known. */
    async findCountry(licenceId: string): Promise<string | null> {
      const order = await db
        .selectFrom('licencePeriod')
        .innerJoin('purchaseOrder', 'purchaseOrder.id', 'licencePeriod.orderId')
        .select('purchaseOrder.countryCode')
        .where('licencePeriod.licenceId', '=', licenceId)
        .where('purchaseOrder.countryCode', 'is not', null)
        .orderBy('purchaseOrder.paidAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return order?.countryCode ?? null;
    },

    findPeriodOfOrder(orderId: string): Promise<PeriodRow | undefined> {
      return db.selectFrom('licencePeriod').selectAll().where('orderId', '=', orderId).executeTakeFirst();
    },

    async insertPeriod(period: NewPeriod): Promise<void> {
      await db.insertInto('licencePeriod').values(period).execute();
    },

    async movePeriod({ id, ...times }: Pick<PeriodRow, 'id' | 'startsAt' | 'endsAt'>): Promise<void> {
      await db.updateTable('licencePeriod').set(times).where('id', '=', id).execute();
    },

    async restorePeriod({ id, ...times }: Pick<PeriodRow, 'id' | 'startsAt' | 'endsAt'>): Promise<void> {
      await db
        .updateTable('licencePeriod')
        .set({ ...times, revokedAt: null, revokeReason: null })
        .where('id', '=', id)
        .execute();
    },

    /** @returns false when the period was revoked before */
    async revokePeriod(id: string, reason: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('licencePeriod')
        .set({ revokedAt: at, revokeReason: reason })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Gives a period that was revoked for one of these reasons another one; false when it was not. */
    async keepRevoked(id: string, reason: string, instead: readonly string[]): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('licencePeriod')
        .set({ revokeReason: reason })
        .where('id', '=', id)
        .where('revokeReason', 'in', instead)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    listDevices,

    async listHwids(licenceId: string): Promise<string[]> {
      const bound = await db
        .selectFrom('licenceDevice')
        .innerJoin('device', 'device.id', 'licenceDevice.deviceId')
        .select('device.hwidHmac')
        .where('licenceId', '=', licenceId)
        .where('unboundAt', 'is', null)
        .execute();
      return bound.map(({ hwidHmac }) => hwidHmac);
    },

    /** Binds a device to a licence. Repeating it changes nothing. To be called while the licence is locked. */
    async bind(licenceId: string, deviceId: string, at: number): Promise<void> {
      const bound = await listDevices(licenceId);
      if (bound.some((binding) => binding.deviceId === deviceId)) return;

      await db
        .insertInto('licenceDevice')
        .values({ licenceId, deviceId, boundAt: at, unboundAt: null })
        // It was bound and unbound in this very millisecond.
        .onConflict((conflict) =>
          conflict.columns(['licenceId', 'deviceId', 'boundAt']).doUpdateSet({ unboundAt: null }),
        )
        .execute();
    },

    /** Unbinds all devices of a licence; returns their ids. */
    async unbindAll(licenceId: string, at: number): Promise<string[]> {
      const unbound = await db
        .updateTable('licenceDevice')
        .set({ unboundAt: at })
        .where('licenceId', '=', licenceId)
        .where('unboundAt', 'is', null)
        .returning('deviceId')
        .execute();
      return unbound.map(({ deviceId }) => deviceId);
    },
  };
}

function selectLicence(db: Db) {
  return db
    .selectFrom('licence')
    .select(['id', 'emailEnc', 'createdAt', 'wantsReminder', 'remindedOf'])
    .select((eb) => eb.fn.coalesce('mailboxHmac', 'emailHmac').as('emailHmac'));
}

/** Whether a licence is of a mailbox. Of most addresses the HMAC in lower case is the same. */
function matchesMailbox(mailboxHmac: string) {
  return (eb: ExpressionBuilder<Database, 'licence'>) =>
    eb.or([
      eb('licence.mailboxHmac', '=', mailboxHmac),
      eb.and([eb('licence.mailboxHmac', 'is', null), eb('licence.emailHmac', '=', mailboxHmac)]),
    ]);
}
