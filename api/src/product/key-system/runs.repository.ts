import { writesRow } from '#api/foundation/db/dialect.ts';
import type { AppId } from '@app/contracts/key-system';
import { sql } from 'kysely';
import { prepare } from '#api/foundation/db/prepare.ts';
import type { Db, NewRun, RunRow } from '#api/foundation/db/schema.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { RUN_TRANSITIONS, type RunTransition } from './run-lifecycle.ts';

export type RunZone = Pick<RunRow, 'zoneHmac' | 'sealedZone'>;

/** How long a completed run took, and what shows that several are of one visitor. */
export interface CompletedRun extends Pick<RunRow, 'deviceId' | 'ipHmac'> {
  /** From its begin to its key, in milliseconds. */
  tookMs: number;
}

const moveOpenRun = prepare((db, to: Pick<RunRow, 'id' | 'step' | 'expiresAt'> & { next: number; at: number }) =>
  db
    .updateTable('run')
    .set({ step: to.next, updatedAt: to.at, expiresAt: to.expiresAt })
    .where('id', '=', to.id)
    .where('state', '=', 'open')
    .where('step', '=', to.step)
    .where('expiresAt', '>', to.at)
    .returningAll(),
);

export function createRunsRepository(db: Db) {
  function change(name: RunTransition) {
    const { from, to } = RUN_TRANSITIONS[name];
    return db.updateTable('run').set({ state: to }).where('state', 'in', from);
  }

  return {
    find(id: string): Promise<RunRow | undefined> {
      return db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** The open runs of a device, the newest first: at most one for each browser that began one. */
    listOpen(deviceId: string): Promise<RunRow[]> {
      return db
        .selectFrom('run')
        .selectAll()
        .where('deviceId', '=', deviceId)
        .where('state', '=', 'open')
        .orderBy('createdAt', 'desc')
        .execute();
    },

    insert(run: NewRun): Promise<RunRow> {
      return db.insertInto('run').values(run).returningAll().executeTakeFirstOrThrow();
    },

    /** Locks the run's row. Every transaction on a run does this before anything else, so no two of them deadlock. */
    lock(id: string): Promise<Pick<RunRow, 'visitorHmac' | 'ipHmac'> | undefined> {
      return db
        .updateTable('run')
        .set((run) => ({ updatedAt: run.ref('updatedAt') }))
        .where('id', '=', id)
        .returning(['visitorHmac', 'ipHmac'])
        .executeTakeFirst();
    },

    /** Undefined when the run is no longer open at this step. */
    async extend(
      { id, step }: Pick<RunRow, 'id' | 'step'>,
      at: number,
      expiresAt: number,
    ): Promise<Pick<RunRow, 'visitorHmac' | 'ipHmac'> | undefined> {
      const [run] = await moveOpenRun(db, { id, step, next: step, at, expiresAt });
      return run;
    },

    /** Undefined when the run is not open at this step. */
    async advance(id: string, step: number, at: number, expiresAt: number): Promise<RunRow | undefined> {
      const [run] = await moveOpenRun(db, { id, step, next: step + 1, at, expiresAt });
      return run;
    },

    /** Undefined when the run is not open at this step. */
    complete(id: string, step: number, at: number): Promise<RunRow | undefined> {
      return change('complete')
        .set({ completedAt: at, updatedAt: at })
        .where('id', '=', id)
        .where('step', '=', step)
        .where('expiresAt', '>', at)
        .returningAll()
        .executeTakeFirst();
    },

    cancel(id: string, at: number): Promise<boolean> {
      return writesRow(change('cancel').set({ updatedAt: at }).where('id', '=', id));
    },

    async expire(id: string, at: number): Promise<void> {
      await change('expire').set({ updatedAt: at }).where('id', '=', id).where('expiresAt', '<=', at).execute();
    },

    async expireOfDevice(deviceId: string, at: number): Promise<void> {
      await change('expire')
        .set({ updatedAt: at })
        .where('deviceId', '=', deviceId)
        .where('expiresAt', '<=', at)
        .execute();
    },

    blockOfDevice(deviceId: string, at: number): Promise<Pick<RunRow, 'id'>[]> {
      return change('block').set({ updatedAt: at }).where('deviceId', '=', deviceId).returning('id').execute();
    },

    /** Only for the browser that began the run. A run without a zone never gets one. */
    setZone(id: string, zone: RunZone, { browser }: ClientIdentity, at: number): Promise<RunRow | undefined> {
      return db
        .updateTable('run')
        .set({ ...zone, updatedAt: at })
        .where('id', '=', id)
        .where('visitorHmac', '=', browser?.hmac ?? null)
        .where('zoneHmac', '<>', '')
        .where('state', 'in', ['open', 'completed'])
        .returningAll()
        .executeTakeFirst();
    },

    /** The runs of a device that are open, or were begun after `since`; the newest first. */
    listOpenOrNewer(deviceId: string, since: number): Promise<RunRow[]> {
      return db
        .selectFrom('run')
        .selectAll()
        .where('deviceId', '=', deviceId)
        .where((run) => run.or([run('state', '=', 'open'), run('createdAt', '>', since)]))
        .orderBy('createdAt', 'desc')
        .execute();
    },

    /**
     * When a network began its `skip + 1`-th newest run after `since`; undefined when there are no more than `skip`.
     */
    async findNetworkStart({ networks }: ClientIdentity, since: number, skip: number): Promise<number | undefined> {
      const start = await db
        .selectFrom('run')
        .select('createdAt')
        .where('ipHmac', 'in', networks)
        .where('createdAt', '>', since)
        .orderBy('createdAt', 'desc')
        .offset(skip)
        .limit(1)
        .executeTakeFirst();
      return start?.createdAt;
    },

    /** The newest runs of an app that were completed by `at`, at most `limit`. */
    listCompleted(appId: AppId, at: number, limit: number): Promise<CompletedRun[]> {
      return (
        db
          .selectFrom('run')
          .select(['deviceId', 'ipHmac', sql<number>`completed_at - created_at`.as('tookMs')])
          .where('appId', '=', appId)
          // A literal and not a parameter: otherwise the databases do not use the partial index.
          .where('state', '=', sql.lit('completed'))
          .where('completedAt', '<=', at)
          .orderBy('completedAt', 'desc')
          .limit(limit)
          .execute()
      );
    },

    async countNetworkStarts({ networks }: ClientIdentity, since: number): Promise<number> {
      const { starts } = await db
        .selectFrom('run')
        .select((select) => select.fn.countAll<number>().as('starts'))
        .where('ipHmac', 'in', networks)
        .where('createdAt', '>', since)
        .executeTakeFirstOrThrow();
      return Number(starts);
    },
  };
}
