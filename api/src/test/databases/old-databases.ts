import { sql, SqliteAdapter } from 'kysely';
import type { Db } from '#api/foundation/db/schema.ts';

/** Rows for every table of the oldest schema, children after their parents. */
const OLD_ROWS = [
  `INSERT INTO device (id, app_id, hwid_hmac, first_seen, last_seen) VALUES ('d1', 'main', 'hmac-1', 1, 2), ('d2', 'companion', 'hmac-1', 1, 2)`,
  `INSERT INTO run (id, app_id, device_id, zone_hmac, sealed_subject, os, steps_required, step, state, visitor_hmac, ip_hmac, created_at, updated_at, expires_at, completed_at)
    VALUES ('r1', 'main', 'd1', 'zone', 'sealed', 'android', 6, 6, 'completed', 'v', 'ip', 1, 2, 3, 4), ('r2', 'companion', 'd2', 'zone', 'sealed', 'ios', 3, 2, 'open', NULL, NULL, 1, 2, 3, NULL)`,
  `INSERT INTO step_attempt (id, run_id, step, advertiser_id, token_hash, sealed_context, state, issued_at, not_before, expires_at, verified_at, provider_ref, ip_hmac)
    VALUES ('a1', 'r1', 1, 'linkvertise', 'hash-1', 'sealed', 'verified', 1, 2, 3, 4, 'ref-1', 'ip'), ('a2', 'r2', 2, 'linkvertise', 'hash-2', 'sealed', 'issued', 1, 2, 3, NULL, NULL, NULL)`,
  `INSERT INTO plan (id, mode, price_cents, currency, days) VALUES ('basic', 1, 499, 'eur', 30), ('plus', 2, 299, 'eur', 30), ('premium', 3, 1499, 'eur', 365) ON CONFLICT (id) DO UPDATE SET price_cents = excluded.price_cents`,
  `INSERT INTO purchase_order (id, device_id, mode, amount_cents, provider, idem_key, state, created_at, paid_at) VALUES ('o1', 'd1', 1, 499, 'shop', 'idem', 'paid', 1, 2)`,
  `INSERT INTO reseller (id, name, logo, description, discord, buy_link, is_arceus_x, trusted, position, updated_at) VALUES ('s1', 'Store', 'mark-1', 'Sells.', 'https://chat.example/', 'https://buy.example/', 0, 100, 1, 1)`,
  `INSERT INTO licence (id, email_hmac, email_enc, created_at, last_reset_at, resets_used) VALUES ('l1', 'mail', 'enc', 1, 2, 1)`,
  `INSERT INTO licence_code (id, code_hash, reseller_id, plan_id, issued_at) VALUES ('c1', 'code', 's1', 'basic', 1)`,
  `INSERT INTO licence_period (id, licence_id, plan_id, order_id, starts_at, ends_at) VALUES ('lp1', 'l1', 'basic', 'o1', 1, 2)`,
  `INSERT INTO licence_device (licence_id, device_id, bound_at) VALUES ('l1', 'd1', 1)`,
  `INSERT INTO access_key (jti, app_id, device_id, run_id, kid, jws, issued_at, expires_at) VALUES ('k1', 'main', 'd1', 'r1', 'kid-1', 'jws', 1, 2)`,
  `INSERT INTO webhook_event (provider, event_id, type, received_at) VALUES ('shop', 'e1', 'paid', 1)`,
  `INSERT INTO captcha_pass (id, provider, token_hash, hwid_hmac, os, passed_at, expires_at, consumed_at) VALUES ('cp1', 'altcha', 'pass', 'hmac-1', 'android', 1, 2, 2)`,
  `INSERT INTO strike (id, device_id, visitor_hmac, ip_hmac, code, at) VALUES ('st1', 'd1', 'v', 'ip', 'KS_PROOF', 1), ('st2', NULL, NULL, 'ip', 'KS_FAST', 1)`,
  `INSERT INTO reset_request (id, licence_id, email_hmac, token_hash, created_at, expires_at) VALUES ('rr1', 'l1', 'mail', 'token', 1, 2)`,
  `INSERT INTO audit_event (seq, at, kind, code, subject, detail, prev_hash, hash) VALUES (1, 1, 'run', 'opened', 'd1', '{}', '0', 'h1'), (2, 2, 'key', 'issued', 'd1', '{}', 'h1', 'h2')`,
  `INSERT INTO audit_anchor (day, last_seq, last_hash, kid, jws) VALUES ('2026-01-31', 2, 'h2', 'kid-1', 'jws')`,
  `INSERT INTO signing_key (kid, alg, public_jwk, status, not_before) VALUES ('kid-1', 'EdDSA', '{}', 'active', 1)`,
];

/** Tables that the first start fills, which later versions may change. */
const CONFIGURATION = ['app', 'advertiser', 'step_link', 'unit'];
const OWN_OF_KYSELY = /^kysely_/;

export async function insertOldRows(db: Db): Promise<void> {
  for (const statement of OLD_ROWS) await sql.raw(statement).execute(db);
}

/** All rows by table, without configuration. */
export async function listRows(db: Db): Promise<Record<string, Record<string, unknown>[]>> {
  const names = (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !CONFIGURATION.includes(name) && !OWN_OF_KYSELY.test(name));
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const name of names.sort()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)} order by 1`.execute(db);
    if (rows.length > 0) tables[name] = rows.map((row) => expectable(row));
  }
  return tables;
}

/** Leaves out null: a column that was added later is null in an old row. */
function expectable(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** Describes a database for comparison: tables, columns, indexes, constraints, and the rows of configuration. */
export async function describeShape(db: Db): Promise<unknown> {
  const describing = db.getExecutor().adapter instanceof SqliteAdapter ? SQLITE_SHAPE : POSTGRES_SHAPE;
  const parts = [
    ...describing,
    ...CONFIGURATION.map((table) => `select * from ${table} order by 1, 2, 3, 4`),
    'select name from kysely_migration order by 1',
  ];
  const shape = [];
  for (const part of parts)
    shape.push(
      (
        await sql
          .raw(part)
          .execute(db)
          .catch(() => ({ rows: [] }))
      ).rows,
    );
  return shape;
}

const SQLITE_SHAPE = [`select type, name, tbl_name, sql from sqlite_master order by 1, 2`];

const POSTGRES_SHAPE = [
  `select table_name, column_name, ordinal_position, data_type, is_nullable, column_default from information_schema.columns where table_schema = 'public' order by 1, 3`,
  `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
  `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as says from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`,
];
