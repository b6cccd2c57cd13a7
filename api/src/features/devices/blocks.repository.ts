import type { Db } from '#api/db/schema.ts';
import { appendAudit, type Act, type AuditEntry } from '#api/features/audit/append-audit.ts';
import type { Block } from './block.ts';

export type BlocksRepository = ReturnType<typeof createBlocksRepository>;

export function createBlocksRepository(db: Db) {
  return {
    /** Blocks devices, all or none of them. Their open runs end; a block that was there gives way. */
    async block(deviceIds: readonly string[], block: Block, { by, at }: Act): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const events: AuditEntry[] = [];
        for (const subject of deviceIds) {
          const about = { at, subject };
          await trx
            .updateTable('device')
            .set({ blockReason: block.reason, blockedUntil: block.until })
            .where('id', '=', subject)
            .execute();
          events.push({
            ...about,
            kind: 'device',
            code: 'blocked',
            detail: { reason: block.reason, until: block.until, by },
          });
          for (const run of await endOpenRuns(trx, subject, at))
            events.push({ ...about, kind: 'run', code: 'blocked', detail: { run, by } });
        }
        for (const event of events) await appendAudit(trx, event);
      });
    },

    /** Takes blocks back, and says of which devices there was one to take back. */
    unblock(deviceIds: readonly string[], { by, at }: Act): Promise<string[]> {
      return db.transaction().execute(async (trx) => {
        const unblocked = await trx
          .updateTable('device')
          .set({ blockReason: null, blockedUntil: null })
          .where('id', 'in', deviceIds)
          .where('blockReason', 'is not', null)
          .returning('id')
          .execute();

        for (const { id } of unblocked)
          await appendAudit(trx, { at, kind: 'device', code: 'unblocked', subject: id, detail: { by } });
        return unblocked.map(({ id }) => id);
      });
    },
  };
}

async function endOpenRuns(trx: Db, deviceId: string, at: number): Promise<string[]> {
  const ended = await trx
    .updateTable('run')
    .set({ state: 'blocked', updatedAt: at })
    .where('deviceId', '=', deviceId)
    .where('state', '=', 'open')
    .returning('id')
    .execute();

  return ended.map(({ id }) => id);
}
