import type { Db, NewReseller, ResellerRow } from '#api/foundation/db/schema.ts';

export function createResellersRepository(db: Db) {
  return {
    /** The resellers that the page shows, in their order. */
    list(): Promise<ResellerRow[]> {
      return db
        .selectFrom('reseller')
        .selectAll()
        .where('position', '>', 0)
        .orderBy('position')
        .orderBy('id')
        .execute();
    },

    /** All resellers; the hidden ones come last. */
    listAll(): Promise<ResellerRow[]> {
      return db
        .selectFrom('reseller')
        .selectAll()
        .orderBy((eb) => eb.case().when('position', '=', 0).then(1).else(0).end())
        .orderBy('position')
        .orderBy('id')
        .execute();
    },

    find(id: string): Promise<ResellerRow | undefined> {
      return db.selectFrom('reseller').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** Of some resellers, those that codes were issued for. */
    async findWithCodes(ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const found = await db
        .selectFrom('licenceCode')
        .select('resellerId')
        .distinct()
        .where('resellerId', 'in', ids)
        .orderBy('resellerId')
        .execute();
      return found.map(({ resellerId }) => resellerId);
    },

    /** Adds a reseller, or replaces what is stored of it. */
    async save(reseller: ResellerRow): Promise<void> {
      await db
        .insertInto('reseller')
        .values(reseller)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(reseller))
        .execute();
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('reseller').where('id', '=', id).execute();
    },

    /** Fills an empty table; a table with rows stays as it is. */
    seed(resellers: readonly NewReseller[]): Promise<void> {
      return db.transaction().execute(async (trx) => {
        if (await trx.selectFrom('reseller').select('id').limit(1).executeTakeFirst()) return;

        // Two servers that start at once insert the same rows.
        await trx
          .insertInto('reseller')
          .values(resellers)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      });
    },
  };
}
