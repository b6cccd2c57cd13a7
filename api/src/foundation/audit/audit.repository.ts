import type { AuditAnchorRow, AuditEventRow, AuditHeadRow, Db } from '#api/foundation/db/schema.ts';
import { type AuditKind, GENESIS_HASH } from './audit-entry.ts';

export type AuditRepository = ReturnType<typeof createAuditRepository>;

/** Reads the chain, and reads and writes its anchors. Only `sealAudit` writes rows of the chain. */
export function createAuditRepository(db: Db) {
  return {
    async getHead(): Promise<Pick<AuditHeadRow, 'seq' | 'hash'>> {
      const head = await db.selectFrom('auditHead').select(['seq', 'hash']).executeTakeFirst();
      return head ?? { seq: 0, hash: GENESIS_HASH };
    },

    listFrom(seq: number, limit: number): Promise<AuditEventRow[]> {
      return db.selectFrom('auditEvent').selectAll().where('seq', '>=', seq).orderBy('seq').limit(limit).execute();
    },

    /** The newest rows; of these the oldest comes first. */
    async listNewest(limit: number): Promise<AuditEventRow[]> {
      const rows = await db.selectFrom('auditEvent').selectAll().orderBy('seq', 'desc').limit(limit).execute();
      return rows.reverse();
    },

    /** The events of one kind from a moment on, in epoch milliseconds, sealed or not. */
    async listSince(kind: AuditKind, at: number): Promise<Pick<AuditEventRow, 'detail'>[]> {
      const sealed = db.selectFrom('auditEvent').select('detail').where('kind', '=', kind).where('at', '>=', at);
      const unsealed = db.selectFrom('auditUnsealed').select('detail').where('kind', '=', kind).where('at', '>=', at);
      return await sealed.unionAll(unsealed).execute();
    },

    async hasUnsealed(): Promise<boolean> {
      return (await db.selectFrom('auditUnsealed').select('id').limit(1).executeTakeFirst()) !== undefined;
    },

    /** How many events are not in the chain yet, and when the oldest of them was recorded, in epoch milliseconds. */
    async countUnsealed(): Promise<{ count: number; since: number | undefined }> {
      const { count, since } = await db
        .selectFrom('auditUnsealed')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<number | null>('at').as('since')])
        .executeTakeFirstOrThrow();
      return { count: Number(count), since: since === null ? undefined : Number(since) };
    },

    listAnchors(): Promise<AuditAnchorRow[]> {
      return db.selectFrom('auditAnchor').selectAll().orderBy('day').execute();
    },

    findNewestAnchor(): Promise<AuditAnchorRow | undefined> {
      return db.selectFrom('auditAnchor').selectAll().orderBy('day', 'desc').limit(1).executeTakeFirst();
    },

    /** The newest anchor whose day is not after this one. */
    findAnchorUntil(day: string): Promise<AuditAnchorRow | undefined> {
      return db
        .selectFrom('auditAnchor')
        .selectAll()
        .where('day', '<=', day)
        .orderBy('day', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    /** @returns false when the day has an anchor already */
    async addAnchor(anchor: AuditAnchorRow): Promise<boolean> {
      const added = await db
        .insertInto('auditAnchor')
        .values(anchor)
        .onConflict((conflict) => conflict.column('day').doNothing())
        .returning('day')
        .executeTakeFirst();

      return added !== undefined;
    },

    /** Removes the oldest rows with a number below `seq`, at most `limit`. Returns how many. */
    async removeBelow(seq: number, limit: number): Promise<number> {
      const oldest = db.selectFrom('auditEvent').select('seq').where('seq', '<', seq).orderBy('seq').limit(limit);
      const removed = await db.deleteFrom('auditEvent').where('seq', 'in', oldest).executeTakeFirst();
      return Number(removed.numDeletedRows);
    },

    /** Removes the anchors whose last row has a number below `seq`. */
    async removeAnchorsBelow(seq: number): Promise<void> {
      await db.deleteFrom('auditAnchor').where('lastSeq', '<', seq).execute();
    },
  };
}
