import { sql, type RawBuilder } from 'kysely';
import { idsFrom } from '#api/foundation/crypto/secrets.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import type { Counted } from '#api/product/stats/counts.repository.ts';

type Retention = Limits['retentionDays'];

export interface OldRows {
  table: string;
  key: string;
  /** The column from which a row's days are counted: a time, or an id that begins with one. */
  since: string;
  /** The limit that says for how many days they are kept. */
  days: keyof Retention;
  /** A condition under which a row is kept longer. */
  unless?: string;
  /** What has to have counted a row before it goes. */
  countedBy?: readonly Counted[];
}

/** What is deleted. A table comes after those that refer to it, and a row stays while another row refers to it. */
export const OLD_ROWS: readonly OldRows[] = [
  { table: 'access_key', key: 'jti', since: 'expires_at', days: 'keys', countedBy: ['issued', 'withdrawn'] },
  { table: 'step_attempt', key: 'id', since: 'issued_at', days: 'attempts', countedBy: ['attempts'] },
  {
    table: 'run',
    key: 'id',
    since: 'created_at',
    days: 'runs',
    unless: `EXISTS (SELECT 1 FROM access_key WHERE run_id = run.id) OR EXISTS (SELECT 1 FROM step_attempt WHERE run_id = run.id)`,
  },
  { table: 'strike', key: 'id', since: 'at', days: 'strikes' },
  { table: 'captcha_pass', key: 'id', since: 'passed_at', days: 'captchaPasses' },
  { table: 'reset_request', key: 'id', since: 'created_at', days: 'resetRequests' },
  { table: 'mail', key: 'id', since: 'id', days: 'mails', unless: `state IN ('queued', 'sending')` },
  { table: 'webhook_event', key: 'provider, event_id', since: 'received_at', days: 'webhookEvents' },
  {
    table: 'webhook_delivery',
    key: 'id',
    since: 'id',
    days: 'webhookDeliveries',
    unless: `state IN ('queued', 'sending')`,
  },
  {
    table: 'load_report',
    key: 'unit, version, kind, network_hmac',
    since: 'reported_at',
    days: 'loadReports',
  },
  {
    table: 'purchase_order',
    key: 'id',
    since: 'created_at',
    days: 'orders',
    unless: `EXISTS (SELECT 1 FROM licence_period WHERE order_id = purchase_order.id)`,
  },
  {
    table: 'purchase_order',
    key: 'id',
    since: 'created_at',
    days: 'unpaidOrders',
    unless: 'paid_at IS NOT NULL',
  },
];

/**
 * The tables whose rows forget the HMAC of a network, and the column from which its days are counted. A load report is
 * nothing but that a network has spoken, so it stays or goes as a whole.
 */
export const NETWORKS = [
  { table: 'run', since: 'created_at' },
  { table: 'step_attempt', since: 'issued_at' },
  { table: 'captcha_pass', since: 'passed_at' },
  { table: 'strike', since: 'at' },
  { table: 'reset_request', since: 'created_at' },
] as const;

/** Removes what has been kept long enough, at most `limit` rows in a call. Each call returns the number of rows. */
export function createRetentionRepository(db: Db) {
  const count = async (statement: RawBuilder<unknown>) => Number((await statement.execute(db)).numAffectedRows ?? 0);

  return {
    remove({ table, key, since, unless = 'FALSE' }: OldRows, before: number, limit: number): Promise<number> {
      const [rows, id, age] = [sql.raw(table), sql.raw(key), sql.raw(since)];
      const oldest = since === 'id' ? idsFrom(before) : before;
      return count(sql`
        DELETE FROM ${rows} WHERE (${id}) IN
          (SELECT ${id} FROM ${rows} WHERE ${age} < ${oldest} AND NOT (${sql.raw(unless)}) ORDER BY ${age} LIMIT ${limit})
      `);
    },

    forgetNetworks({ table, since }: (typeof NETWORKS)[number], before: number, limit: number): Promise<number> {
      const [rows, age] = [sql.raw(table), sql.raw(since)];
      return count(sql`
        UPDATE ${rows} SET ip_hmac = NULL WHERE id IN
          (SELECT id FROM ${rows} WHERE ip_hmac IS NOT NULL AND ${age} < ${before} ORDER BY ${age} LIMIT ${limit})
      `);
    },
  };
}
