import type { AppId, OperatingSystem } from '@app/contracts/key-system';
import type { Kysely } from 'kysely';
import type { Database, RunRow } from '#api/db/schema.ts';
import { appendAudit } from '#api/features/audit/append-audit.ts';
import { createCaptchaRepository } from '#api/features/captcha/captcha.repository.ts';
import { createDevicesRepository } from '#api/features/devices/devices.repository.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import { finishStep, StaleAttemptError, type FinishedStep } from './finish-step.ts';
import { DEFAULT_LIMITS, runExpiry, type Limits } from './limits.ts';
import { ownTraces } from './eligibility.ts';
import { laterOf, whenFree } from './when-free.ts';
import { pickRun, matchZone, type ZoneClaimant } from './zone-matching.ts';

const HOUR_MS = 60 * 60 * 1000;

export interface NewRun {
  id: string;
  appId: AppId;
  hwidHmac: string;
  zoneHmac: string;
  sealedSubject: string;
  sealedZone: string | null;
  os: OperatingSystem;
  /** The os a captcha pass must be for; undefined where the app does not say it. */
  passOs: OperatingSystem | undefined;
  stepsRequired: number;
  by: ClientIdentity;
  /** The browser that begins the run, also by the name that it is only now given; null where nobody named it. */
  visitorHmac: string | null;
  /** Whether to begin a run although one of another zone is open. */
  isBeside: boolean;
  at: number;
}

export type RunsRepository = ReturnType<typeof createRunsRepository>;

export function createRunsRepository(db: Kysely<Database>, limits: Limits = DEFAULT_LIMITS) {
  return {
    find(id: string): Promise<RunRow | undefined> {
      return selectRun(db).where('run.id', '=', id).executeTakeFirst();
    },

    /** A device's open runs, the newest first: one for each browser that began one. */
    listOpen(appId: AppId, hwidHmac: string, at: number): Promise<RunRow[]> {
      return selectRun(db)
        .innerJoin('device', 'device.id', 'run.deviceId')
        .where('device.appId', '=', appId)
        .where('device.hwidHmac', '=', hwidHmac)
        .where('run.state', '=', 'open')
        .where('run.expiresAt', '>', at)
        .orderBy('run.createdAt', 'desc')
        .execute();
    },

    /**
     * Has a run's key, also one that is there already, go to another zone. Only for the browser that began the run.
     * @returns the run as it stands now; undefined when it is over, or was begun elsewhere
     */
    move(id: string, to: RunZone, by: ClientIdentity, at: number): Promise<RunRow | undefined> {
      return db.transaction().execute((trx) => moveRun(trx, id, to, by, at));
    },

    /**
     * Opens a run at the price of one captcha pass, or gives the one that its visitor goes on with already, for free.
     * Without a pass, or beyond the hour's number of runs, it changes nothing and says why.
     */
    async open(run: NewRun): Promise<RunRow | NotOpened['why']> {
      try {
        return await db.transaction().execute((trx) => openRun(trx, run, limits));
      } catch (error) {
        if (error instanceof NotOpened) return error.why;
        throw error;
      }
    },

    /** How many runs the client's network has opened within the last hour. */
    countFromNetwork(by: ClientIdentity, at: number): Promise<number> {
      return countFromNetwork(db, by, at);
    },

    /**
     * Credits a step: the proof is spent, the run moves on, the attempt has won, and the last step brings the key.
     * All of it or nothing; and nothing when the run no longer stands at that step.
     * @returns the run as it stands now; undefined when nothing was credited
     * @throws a unique violation when the proof was spent before
     */
    async finishStep(step: FinishedStep): Promise<RunRow | undefined> {
      try {
        return await db.transaction().execute((trx) => finishStep(trx, step, limits));
      } catch (error) {
        if (error instanceof StaleAttemptError) return undefined;
        throw error;
      }
    },
  };
}

/** A zone as a run keeps it. */
export type RunZone = Pick<RunRow, 'zoneHmac' | 'sealedZone'>;

async function moveRun(
  trx: Kysely<Database>,
  id: string,
  to: RunZone,
  { browser }: ClientIdentity,
  at: number,
): Promise<RunRow | undefined> {
  const moved = await trx
    .updateTable('run')
    .set({ ...to, updatedAt: at })
    .where('id', '=', id)
    .where('visitorHmac', '=', browser?.hmac ?? null)
    .where('zoneHmac', '<>', '')
    .where('state', 'in', ['open', 'completed'])
    .returningAll()
    .executeTakeFirst();
  if (moved) await appendAudit(trx, { at, kind: 'run', code: 'moved', subject: moved.deviceId, detail: { run: id } });

  return moved;
}

/** Undoes what the transaction has done so far. */
class NotOpened extends Error {
  readonly why: 'no pass' | { limitedUntil: number };

  constructor(why: NotOpened['why']) {
    super('No run was opened');
    this.why = why;
  }
}

async function openRun(trx: Kysely<Database>, run: NewRun, limits: Limits): Promise<RunRow> {
  const { at, hwidHmac, passOs, by, isBeside, ...columns } = run;
  // The device's row is taken here, so that its starts wait for each other and each sees what the one before it opened.
  const deviceId = await createDevicesRepository(trx).ensure(run.appId, hwidHmac, at);
  await trx
    .updateTable('run')
    .set({ state: 'expired', updatedAt: at })
    .where('deviceId', '=', deviceId)
    .where('state', '=', 'open')
    .where('expiresAt', '<=', at)
    .execute();

  const standing = await findStanding(trx, deviceId, run, isBeside);
  if (standing) return standing;

  const opened = await trx
    .insertInto('run')
    .values({
      ...columns,
      deviceId,
      ipHmac: by.networks[0],
      createdAt: at,
      updatedAt: at,
      expiresAt: runExpiry(limits, at, at),
      completedAt: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const limitedUntil = await findStartLimit(trx, { deviceId, by, at }, limits);
  if (limitedUntil !== undefined) throw new NotOpened({ limitedUntil });
  if (!(await createCaptchaRepository(trx).consume(hwidHmac, passOs, by, at))) throw new NotOpened('no pass');
  await appendAudit(trx, {
    at,
    kind: 'run',
    code: 'opened',
    subject: deviceId,
    detail: { run: opened.id, app: run.appId, os: run.os },
  });
  return opened;
}

/** The open run that the visitor goes on with, unless they begin one beside it. */
async function findStanding(
  trx: Kysely<Database>,
  deviceId: string,
  asker: ZoneClaimant,
  isBeside: boolean,
): Promise<RunRow | undefined> {
  const open = await selectRun(trx)
    .where('run.deviceId', '=', deviceId)
    .where('run.state', '=', 'open')
    .orderBy('run.createdAt', 'desc')
    .execute();
  const standing = pickRun(open, asker);
  const isGivenUp = standing && isBeside && matchZone(standing, asker) === 'other';

  return isGivenUp ? undefined : standing;
}

/** When the device and the network may begin one more run; undefined while they may. The run that has just been opened does not count. */
async function findStartLimit(
  trx: Kysely<Database>,
  { deviceId, by, at }: { deviceId: string; by: ClientIdentity; at: number },
  { startsPerHour, networkStartsPerHour }: Limits,
): Promise<number | undefined> {
  const ofDevice = await trx
    .selectFrom('run')
    .select(['visitorHmac', 'ipHmac', 'createdAt as at'])
    .where('deviceId', '=', deviceId)
    .where('createdAt', '>', at - HOUR_MS)
    .execute();
  const own = ownTraces(ofDevice, by).map((start) => start.at);
  const ofNetwork = await findNetworkStart(trx, by, at, networkStartsPerHour.hard);

  return laterOf(whenFree(withoutLatest(own), startsPerHour), ofNetwork && ofNetwork + HOUR_MS);
}

/** Without the newest one, which is the run that is being opened. */
function withoutLatest(times: readonly number[]): readonly number[] {
  return times.toSorted((a, b) => b - a).slice(1);
}

/** The start of the run that has to be an hour old before its network may begin one more; undefined while there is room. */
async function findNetworkStart(
  db: Kysely<Database>,
  { networks }: ClientIdentity,
  at: number,
  limit: number,
): Promise<number | undefined> {
  const start = await db
    .selectFrom('run')
    .select('createdAt')
    .where('ipHmac', 'in', networks)
    .where('createdAt', '>', at - HOUR_MS)
    .orderBy('createdAt', 'desc')
    .offset(limit)
    .limit(1)
    .executeTakeFirst();
  return start?.createdAt;
}

async function countFromNetwork(db: Kysely<Database>, { networks }: ClientIdentity, at: number): Promise<number> {
  const { starts } = await db
    .selectFrom('run')
    .select((select) => select.fn.countAll<number>().as('starts'))
    .where('ipHmac', 'in', networks)
    .where('createdAt', '>', at - HOUR_MS)
    .executeTakeFirstOrThrow();
  return Number(starts);
}

function selectRun(db: Kysely<Database>) {
  return db
    .selectFrom('run')
    .select([
      'run.id',
      'run.appId',
      'run.deviceId',
      'run.zoneHmac',
      'run.sealedSubject',
      'run.sealedZone',
      'run.os',
      'run.visitorHmac',
      'run.ipHmac',
      'run.stepsRequired',
      'run.step',
      'run.state',
      'run.createdAt',
      'run.updatedAt',
      'run.expiresAt',
      'run.completedAt',
    ]);
}
