import type { Db, NewRun, RunRow } from '#api/db/schema.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import { RUN_MOVES, type RunMove } from './run-lifecycle.ts';

/** A zone as a run keeps it. */
export type RunZone = Pick<RunRow, 'zoneHmac' | 'sealedZone'>;

/** The start of a run, as a limit looks back on it. */
export interface RunStart {
  visitorHmac: string | null;
  ipHmac: string | null;
  /** Epoch milliseconds. */
  at: number;
}

export type RunsRepository = ReturnType<typeof createRunsRepository>;

/** Statements about the table of runs. Where one finds no run in the state that it needs, it changes nothing. */
export function createRunsRepository(db: Db) {
  /** A change of state, for runs that may make it. */
  function change(name: RunMove) {
    const { from, to } = RUN_MOVES[name];
    return db.updateTable('run').set({ state: to }).where('state', 'in', from);
  }

  return {
    find(id: string): Promise<RunRow | undefined> {
      return db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** A device's runs that have not ended, the newest first: one for each browser that began one. */
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

    /** Takes the run's row, as every transaction on a run does before anything else: so no two of them deadlock. */
    lock(id: string): Promise<Pick<RunRow, 'visitorHmac' | 'ipHmac'> | undefined> {
      return db
        .updateTable('run')
        .set((run) => ({ updatedAt: run.ref('updatedAt') }))
        .where('id', '=', id)
        .returning(['visitorHmac', 'ipHmac'])
        .executeTakeFirst();
    },

    /** Keeps a run open for longer, as long as it stands at the step. */
    extend(
      { id, step }: Pick<RunRow, 'id' | 'step'>,
      at: number,
      expiresAt: number,
    ): Promise<Pick<RunRow, 'visitorHmac'> | undefined> {
      return db
        .updateTable('run')
        .set({ updatedAt: at, expiresAt })
        .where('id', '=', id)
        .where('state', '=', 'open')
        .where('step', '=', step)
        .where('expiresAt', '>', at)
        .returning('visitorHmac')
        .executeTakeFirst();
    },

    /** Moves a run from a step to the next one. */
    advance(id: string, step: number, at: number, expiresAt: number): Promise<RunRow | undefined> {
      return db
        .updateTable('run')
        .set({ step: step + 1, updatedAt: at, expiresAt })
        .where('id', '=', id)
        .where('state', '=', 'open')
        .where('step', '=', step)
        .where('expiresAt', '>', at)
        .returningAll()
        .executeTakeFirst();
    },

    /** Ends a run at its last step. */
    complete(id: string, step: number, at: number): Promise<RunRow | undefined> {
      return change('complete')
        .set({ completedAt: at, updatedAt: at })
        .where('id', '=', id)
        .where('step', '=', step)
        .where('expiresAt', '>', at)
        .returningAll()
        .executeTakeFirst();
    },

    async cancel(id: string, at: number): Promise<boolean> {
      const cancelled = await change('cancel')
        .set({ updatedAt: at })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return cancelled !== undefined;
    },

    /** Ends a run whose time is over. */
    async expire(id: string, at: number): Promise<void> {
      await change('expire').set({ updatedAt: at }).where('id', '=', id).where('expiresAt', '<=', at).execute();
    },

    /** Ends a device's runs whose time is over. */
    async expireOfDevice(deviceId: string, at: number): Promise<void> {
      await change('expire')
        .set({ updatedAt: at })
        .where('deviceId', '=', deviceId)
        .where('expiresAt', '<=', at)
        .execute();
    },

    /** Ends a device's open runs for an operator. */
    blockOfDevice(deviceId: string, at: number): Promise<Pick<RunRow, 'id'>[]> {
      return change('block').set({ updatedAt: at }).where('deviceId', '=', deviceId).returning('id').execute();
    },

    /**
     * Gives a run, also one that has its key already, another zone. Only for the browser that began it; and a run
     * without a zone keeps none.
     */
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

    /** When and by whom a device's runs were begun, after a moment. */
    listStarts(deviceId: string, since: number): Promise<RunStart[]> {
      return db
        .selectFrom('run')
        .select(['visitorHmac', 'ipHmac', 'createdAt as at'])
        .where('deviceId', '=', deviceId)
        .where('createdAt', '>', since)
        .execute();
    },

    /** When the newest run but `skip` of a network was begun, after a moment; undefined when there are no more than `skip`. */
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

    /** How many runs a network has begun after a moment. */
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
