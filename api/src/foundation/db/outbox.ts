import { type Selectable, sql, type Updateable } from 'kysely';
import type { Database, Db } from './schema.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a message waits after each try that failed. After one more it is given up. */
const BACKOFF_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
];

type OutboxTable = 'mail' | 'webhookDelivery';

interface ClaimedMessage {
  id: string;
  claimedAt: number | null;
}

/** When a message is tried again whose last try has failed; undefined when it has had all its tries. */
export function nextTryAt({ tries }: { tries: number }, at: number): number | undefined {
  const pauseMs = BACKOFF_MS[tries - 1];
  return pauseMs === undefined ? undefined : at + pauseMs;
}

/**
 * An outbox: messages in a table that leave after the commit that wrote them. Several servers may send at once; each
 * message is claimed by one of them, tried again after ever longer pauses, and in the end sent or given up.
 */
export function createOutbox<Table extends OutboxTable>(db: Db, name: Table) {
  type Row = Selectable<Database[Table]>;
  type Change = Partial<Updateable<Database[Table]>>;
  const table: OutboxTable = name;
  const change = (id: string) => db.updateTable(table).where('id', '=', id);
  const whileClaimed = ({ id, claimedAt }: ClaimedMessage) =>
    change(id).where('state', '=', 'sending').where('claimedAt', '=', claimedAt);

  return {
    /** Takes the messages that are due for the longest time; of one webhook, where it is named. */
    async claim(at: number, limit: number, webhookId?: string): Promise<Row[]> {
      const due = db.selectFrom(table).select('id').where(IS_OPEN).where(IS_QUEUED).where('nextTryAt', '<=', at);
      const rows = await db
        .updateTable(table)
        .set((eb) => ({ state: 'sending', claimedAt: at, tries: eb('tries', '+', 1) }))
        .where('id', 'in', () =>
          (webhookId === undefined ? due : due.where('webhookId', '=', webhookId))
            .orderBy('nextTryAt')
            .orderBy('id')
            .limit(limit),
        )
        // Again for a server that has waited for another one's claim.
        .where('state', '=', 'queued')
        .returningAll()
        .execute();
      return rows as Row[];
    },

    /** Puts messages back into the queue whose server has ended in the middle of its work. */
    async releaseStaleClaims(claimedBefore: number): Promise<void> {
      await db
        .updateTable(table)
        .set({ state: 'queued' })
        .where(IS_OPEN)
        .where(IS_SENDING)
        .where('claimedAt', '<=', claimedBefore)
        .execute();
    },

    async planRetry(claimed: ClaimedMessage, at: number, noted: Change): Promise<void> {
      await whileClaimed(claimed)
        .set({ ...noted, state: 'queued', nextTryAt: at })
        .execute();
    },

    async giveUp(claimed: ClaimedMessage, noted: Change): Promise<void> {
      await whileClaimed(claimed)
        .set({ ...noted, state: 'failed' })
        .execute();
    },

    /** Notes that a message was sent. It stays so, even if another server has claimed it meanwhile. */
    async markSent({ id }: ClaimedMessage, noted: Change): Promise<void> {
      await change(id).set(noted).execute();
    },
  };
}

/** The conditions of the indexes. Literals: with parameters the databases do not use those. */
export const IS_OPEN = sql<boolean>`state IN ('queued', 'sending')`;
export const IS_QUEUED = sql<boolean>`state = 'queued'`;
const IS_SENDING = sql<boolean>`state = 'sending'`;
