import type { AppId } from '@app/contracts/key-system';
import type { ExpressionBuilder, Nullable, Selectable } from 'kysely';
import { jsonArrayFrom as postgresList } from 'kysely/helpers/postgres';
import { jsonArrayFrom as sqliteList } from 'kysely/helpers/sqlite';
import { isSqlite } from '#api/db/is-sqlite.ts';
import type { AttemptRow, Database, Db, DeviceRow, KeyRow, RunRow } from '#api/db/schema.ts';
import type { Struck } from './eligibility.ts';

const OPEN_RUN = [
  'run.id',
  'run.appId',
  'run.os',
  'run.zoneHmac',
  'run.visitorHmac',
  'run.ipHmac',
  'run.stepsRequired',
  'run.step',
  'run.state',
  'run.createdAt',
  'run.expiresAt',
] as const;

type ColumnOf<Name extends string> = Name extends `run.${infer Column}` ? Column : never;

/** What of an open run decides where its visitor goes on. */
export type OpenRun = Pick<RunRow, ColumnOf<(typeof OPEN_RUN)[number]> & keyof RunRow>;

/** A working key, with the zone and the browser of the run that it comes from. */
export type WorkingKey = Pick<KeyRow, 'runId' | 'expiresAt'> & {
  zoneHmac: string | null;
  visitorHmac: string | null;
};

/** An attempt that is credited, or waits for its postback, at an open run. */
export type CountedAttempt = Pick<AttemptRow, 'runId' | 'step' | 'advertiserId' | 'state' | 'verifiedAt'>;

/** All that one moment of the database says of a device of one app. */
export interface Snapshot extends Pick<DeviceRow, 'blockReason' | 'blockedUntil'> {
  /** How many steps a new run of the app takes. */
  stepsRequired: number;
  /** The newest first. */
  runs: OpenRun[];
  attempts: CountedAttempt[];
  /** The one that works longest first. */
  keys: WorkingKey[];
  /** When the key that worked last ended or ends, epoch milliseconds; null without one. */
  lastKeyExpiresAt: number | null;
  strikes: Struck[];
}

export type SnapshotsRepository = ReturnType<typeof createSnapshotsRepository>;

/** Reads what is known of a device in one statement: pages and apps ask for it every few seconds. */
export function createSnapshotsRepository(db: Db) {
  // The two databases spell it differently, and only PostgreSQL's driver reads JSON by itself.
  const listOf = isSqlite(db) ? sqliteList : postgresList;

  return {
    /**
     * @param at epoch milliseconds
     * @param strikesSince only later strikes count, epoch milliseconds
     */
    async read(
      appId: AppId,
      hwidHmac: string,
      { at, strikesSince }: { at: number; strikesSince: number },
    ): Promise<Snapshot> {
      const { runs, attempts, keys, strikes, stepsPerSeries, seriesRequired, ...device } = await db
        .selectFrom('app')
        .leftJoin('device', (join) => join.onRef('device.appId', '=', 'app.id').on('device.hwidHmac', '=', hwidHmac))
        .where('app.id', '=', appId)
        .select((of) => [
          'app.stepsPerSeries',
          'app.seriesRequired',
          'device.blockReason',
          'device.blockedUntil',
          listOf(selectOpenRuns(of, at)).as('runs'),
          listOf(selectCountedAttempts(of, at)).as('attempts'),
          listOf(selectWorkingKeys(of, at)).as('keys'),
          listOf(selectStrikes(of, strikesSince)).as('strikes'),
          selectLastKeyEnd(of).as('lastKeyExpiresAt'),
        ])
        .executeTakeFirstOrThrow();

      return {
        ...device,
        stepsRequired: stepsPerSeries * seriesRequired,
        runs: readList(runs),
        attempts: readList(attempts),
        keys: readList(keys),
        strikes: readList(strikes),
      };
    },
  };
}

type OfDevice = ExpressionBuilder<Database & { device: Nullable<Selectable<Database['device']>> }, 'app' | 'device'>;

function selectOpenRuns(of: OfDevice, at: number) {
  return of
    .selectFrom('run')
    .select(OPEN_RUN)
    .whereRef('run.deviceId', '=', 'device.id')
    .where('run.state', '=', 'open')
    .where('run.expiresAt', '>', at)
    .orderBy('run.createdAt', 'desc');
}

function selectCountedAttempts(of: OfDevice, at: number) {
  return of
    .selectFrom('stepAttempt')
    .innerJoin('run', 'run.id', 'stepAttempt.runId')
    .select([
      'stepAttempt.runId',
      'stepAttempt.step',
      'stepAttempt.advertiserId',
      'stepAttempt.state',
      'stepAttempt.verifiedAt',
    ])
    .whereRef('run.deviceId', '=', 'device.id')
    .where('run.state', '=', 'open')
    .where((is) =>
      is.or([
        is('stepAttempt.state', '=', 'verified'),
        is.and([is('stepAttempt.state', '=', 'awaiting_postback'), is('stepAttempt.expiresAt', '>', at)]),
      ]),
    )
    .orderBy('stepAttempt.step');
}

function selectWorkingKeys(of: OfDevice, at: number) {
  return of
    .selectFrom('accessKey')
    .leftJoin('run', 'run.id', 'accessKey.runId')
    .select(['accessKey.runId', 'accessKey.expiresAt', 'run.zoneHmac', 'run.visitorHmac'])
    .whereRef('accessKey.deviceId', '=', 'device.id')
    .where('accessKey.revokedAt', 'is', null)
    .where('accessKey.expiresAt', '>', at)
    .orderBy('accessKey.expiresAt', 'desc');
}

function selectLastKeyEnd(of: OfDevice) {
  return of
    .selectFrom('accessKey')
    .select((key) => key.fn.max('accessKey.expiresAt').as('end'))
    .whereRef('accessKey.deviceId', '=', 'device.id')
    .where('accessKey.revokedAt', 'is', null);
}

function selectStrikes(of: OfDevice, since: number) {
  return of
    .selectFrom('strike')
    .select(['strike.visitorHmac', 'strike.ipHmac', 'strike.weight', 'strike.at'])
    .whereRef('strike.deviceId', '=', 'device.id')
    .where('strike.at', '>', since);
}

/** SQLite gives a list as text. */
function readList<Row>(list: Row[]): Row[] {
  return typeof list === 'string' ? (JSON.parse(list) as Row[]) : list;
}
