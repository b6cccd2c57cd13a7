import type { Db } from '#api/foundation/db/schema.ts';

export function createPepperCheckRepository(db: Db) {
  return {
    /** Stores the value of the first server; later calls change nothing. */
    async keep(value: string): Promise<void> {
      await db
        .insertInto('pepperCheck')
        .values({ id: 1, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async find(): Promise<string | undefined> {
      return (await db.selectFrom('pepperCheck').select('value').executeTakeFirst())?.value;
    },
  };
}
