import { sql, type RawBuilder } from 'kysely';
import { idsFrom } from '#api/foundation/crypto/secrets.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import type { CountedKind } from '#api/product/stats/counts.repository.ts';

type Retention = Limits['retentionDays'];

export interface OldRows {
  table: string;
  /** What the rows are found in, where another table has their age. */
  from?: string;
  /** By default `id`. */
  key?: string;
  /** The column from which a row's days are counted: a time, or an id that begins with one. */
  since: string;
  /** The limit that says for how many days they are kept. */
  days: keyof Retention;
  /** A condition under which a row is kept longer. `:now` is the time. */
  unless?: string;
  /** What has to have counted a row before it goes. */
  countedBy?: readonly CountedKind[];
}

const RUNNING_PERIOD = 'licence_period.revoked_at IS NULL AND licence_period.ends_at > :now';

/** A condition: that a row of one of these tables, each with its column, refers to a row of `table`. */
const referencedBy = (table: string, by: Record<string, string>) =>
  Object.entries(by)
    .map(([other, column]) => `EXISTS (SELECT 1 FROM ${other} WHERE ${other}.${column} = ${table}.id)`)
    .join(' OR ');

/**
 * What is deleted. A table comes after those that refer to it, and a row stays while another row refers to it. What a plan
 * leaves goes with what has paid for it.
 */
export const OLD_ROWS: readonly OldRows[] = [
  { table: 'access_key', key: 'jti', since: 'expires_at', days: 'keys', countedBy: ['issued', 'withdrawn'] },
  { table: 'step_attempt', since: 'issued_at', days: 'attempts', countedBy: ['attempts'] },
  {
    table: 'run',
    since: 'created_at',
    days: 'runs',
    unless: referencedBy('run', { access_key: 'run_id', step_attempt: 'run_id' }),
  },
  { table: 'strike', since: 'at', days: 'strikes' },
  { table: 'captcha_pass', since: 'passed_at', days: 'captchaPasses' },
  { table: 'reset_request', since: 'created_at', days: 'resetRequests' },
  { table: 'mail', since: 'id', days: 'mails', unless: `state IN ('queued', 'sending')` },
  { table: 'webhook_event', key: 'provider, event_id', since: 'received_at', days: 'webhookEvents' },
  { table: 'webhook_delivery', since: 'id', days: 'webhookDeliveries', unless: `state IN ('queued', 'sending')` },
  { table: 'load_report', key: 'unit, version, kind, network_hmac', since: 'reported_at', days: 'loadReports' },
  {
    table: 'licence_period',
    from: 'purchase_order JOIN licence_period ON licence_period.order_id = purchase_order.id',
    since: 'purchase_order.created_at',
    days: 'orders',
    unless: RUNNING_PERIOD,
  },
  {
    table: 'licence_period',
    from: 'licence_code JOIN licence_period ON licence_period.code_id = licence_code.id',
    since: 'licence_code.redeemed_at',
    days: 'orders',
    unless: RUNNING_PERIOD,
  },
  {
    table: 'purchase_order',
    since: 'created_at',
    days: 'orders',
    unless: referencedBy('purchase_order', { licence_period: 'order_id' }),
  },
  { table: 'purchase_order', since: 'created_at', days: 'unpaidOrders', unless: 'paid_at IS NOT NULL' },
  {
    table: 'payment',
    key: 'ref',
    since: 'told_at',
    days: 'orders',
    unless: 'EXISTS (SELECT 1 FROM purchase_order WHERE id = payment.order_id OR payment_ref = payment.ref)',
  },
  {
    table: 'licence_code',
    since: 'redeemed_at',
    days: 'orders',
    unless: referencedBy('licence_code', { licence_period: 'code_id' }),
  },
  {
    table: 'licence_device',
    from: 'licence JOIN licence_device ON licence_device.licence_id = licence.id',
    key: 'licence_device.licence_id, licence_device.device_id, licence_device.bound_at',
    since: 'licence.created_at',
    days: 'orders',
    unless: referencedBy('licence', { licence_period: 'licence_id' }),
  },
  {
    table: 'licence',
    since: 'created_at',
    days: 'orders',
    unless: referencedBy('licence', {
      licence_period: 'licence_id',
      licence_device: 'licence_id',
      access_key: 'licence_id',
      reset_request: 'licence_id',
    }),
  },
  {
    table: 'device',
    since: 'last_seen',
    // A new run would be the first to need the device again.
    days: 'runs',
    unless: `(block_reason IS NOT NULL AND (blocked_until IS NULL OR blocked_until > :now)) OR ${referencedBy(
      'device',
      {
        run: 'device_id',
        access_key: 'device_id',
        strike: 'device_id',
        licence_device: 'device_id',
        purchase_order: 'device_id',
        reset_request: 'device_id',
      },
    )}`,
  },
];

/**
 * The tables whose rows forget the HMAC of a network, and the column from which its days are counted. A load report is
 * nothing but that a network has spoken, so it stays or goes as a whole. `also` goes with it once no run can be open.
 */
export const NETWORK_COLUMNS: readonly { table: string; since: string; also?: string }[] = [
  { table: 'run', since: 'created_at' },
  {
    table: 'step_attempt',
    since: 'issued_at',
    // Cut off, the hash fits no ticket.
    also: `, token_hash = substr(token_hash, 1, 14), sealed_context = '', visitor_hmac = NULL, claimed_by = NULL`,
  },
  { table: 'captcha_pass', since: 'passed_at' },
  { table: 'strike', since: 'at' },
  { table: 'reset_request', since: 'created_at' },
];

/** Removes what has been kept long enough, at most `limit` rows in a call. Each call returns the number of rows. */
export function createRetentionRepository(db: Db) {
  const count = async (statement: RawBuilder<unknown>) => Number((await statement.execute(db)).numAffectedRows ?? 0);

  return {
    /**
     * @param before when the oldest row is from that stays
     * @param span.after looks at no older rows
     */
    remove(
      { table, from = table, key = `${table}.id`, since, unless = 'FALSE' }: OldRows,
      before: number,
      limit: number,
      { after = 0, now = before } = {},
    ): Promise<number> {
      const [rows, id, age] = [sql.raw(table), sql.raw(key), sql.raw(since)];
      const [oldest, newest] = since === 'id' ? [idsFrom(after), idsFrom(before)] : [after, before];
      const kept = sql.join(
        unless.split(':now').map((part) => sql.raw(part)),
        sql`${now}`,
      );
      return count(sql`
        DELETE FROM ${rows} WHERE (${id}) IN
          (SELECT ${id} FROM ${sql.raw(from)} WHERE ${age} >= ${oldest} AND ${age} < ${newest} AND NOT (${kept})
            ORDER BY ${age} LIMIT ${limit})
      `);
    },

    forgetNetworks(
      { table, since, also = '' }: (typeof NETWORK_COLUMNS)[number],
      before: number,
      limit: number,
    ): Promise<number> {
      const [rows, age] = [sql.raw(table), sql.raw(since)];
      return count(sql`
        UPDATE ${rows} SET ip_hmac = NULL${sql.raw(also)} WHERE id IN
          (SELECT id FROM ${rows} WHERE ip_hmac IS NOT NULL AND ${age} < ${before} ORDER BY ${age} LIMIT ${limit})
      `);
    },
  };
}
