import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** Which order a payment is for. An order may be paid twice, and one of the payments given back. */
const STATEMENTS = [
  `ALTER TABLE payment ADD COLUMN order_id TEXT`,
  `CREATE INDEX payment_order ON payment(order_id) WHERE order_id IS NOT NULL`,
];

export const paymentsOfOrders: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
