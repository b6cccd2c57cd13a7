import type { AppId } from '@app/contracts/key-system';
import { sql } from 'kysely';
import { AppError } from '#api/foundation/http/app-error.ts';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import { prepare } from '#api/foundation/db/prepare.ts';
import type {
  AdvertiserRow,
  AppRow,
  AttemptRow,
  Db,
  DeviceRow,
  KeyRow,
  RunRow,
  StrikeRow,
} from '#api/foundation/db/schema.ts';
import { PLAN_RENEWAL_MS } from '@app/contracts/active-plan';
import type { PeriodSpan } from '#api/product/licences/licence-periods.ts';
import type { CountedStrike } from '#api/product/key-system/eligibility.ts';

/** The part of an open run that decides where its visitor goes on. */
export type OpenRun = Omit<RunRow, 'deviceId' | 'sealedSubject' | 'sealedZone' | 'updatedAt' | 'completedAt'>;

/** A valid key, with the zone and the browser of its run. */
export type ValidKey = Pick<KeyRow, 'runId' | 'expiresAt' | 'fetchedAt'> & {
  zoneHmac: string | null;
  visitorHmac: string | null;
};

/** An attempt of an open run that is credited, or waits for its postback. */
export type CreditedAttempt = Pick<AttemptRow, 'runId' | 'step' | 'advertiserId' | 'state' | 'verifiedAt'>;

export interface Snapshot
  extends Pick<DeviceRow, 'blockReason' | 'blockedUntil'>, Pick<AppRow, 'usualRunMs' | 'name' | 'scheme' | 'colour'> {
  /** How many steps a new run of the app takes. */
  stepsRequired: number;
  /** The ids of the advertisers of a registered app. */
  offered: AppRow['advertisers'];
  /** The newest first. */
  runs: OpenRun[];
  attempts: CreditedAttempt[];
  /** The one that is valid longest comes first. */
  keys: ValidKey[];
  /** When the last key ends or ended, in epoch milliseconds; null without one. */
  lastKeyExpiresAt: number | null;
  strikes: (CountedStrike & Pick<StrikeRow, 'code'>)[];
  /** The periods of paid plans that have not ended, or not long ago, of all apps of the device. */
  periods: PeriodSpan[];
  /** All advertisers, by their id. */
  advertisers: AdvertiserRow[];
}

interface SnapshotOf {
  appId: AppId;
  hwidHmac: string;
  at: number;
  struckAfter: number;
  endedAfter: number;
}

/** One statement, because pages and apps ask for it every few seconds. */
const readSnapshot = prepare((db, { appId, hwidHmac, at, struckAfter, endedAfter }: SnapshotOf) => {
  // SQLite and PostgreSQL have the same JSON functions under different names.
  const [list, object] = (isSqlite(db) ? ['json_group_array', 'json_object'] : ['json_agg', 'json_build_object']).map(
    (name) => sql.raw(name),
  );
  return sql<SnapshotRow>`
    SELECT app.steps_per_series * app.series_required AS steps_required, app.usual_run_ms,
      app.name, app.scheme, app.colour, app.advertisers AS offered, device.block_reason,
      device.blocked_until,
      (SELECT ${list}(${object}('id', run.id, 'appId', run.app_id, 'os', run.os, 'zoneHmac', run.zone_hmac,
          'visitorHmac', run.visitor_hmac, 'ipHmac', run.ip_hmac, 'stepsRequired', run.steps_required,
          'step', run.step, 'state', run.state, 'createdAt', run.created_at, 'expiresAt', run.expires_at)
          ORDER BY run.created_at DESC)
        FROM run WHERE run.device_id = device.id AND run.state = 'open' AND run.expires_at > ${at}) AS runs,
      (SELECT ${list}(${object}('runId', attempt.run_id, 'step', attempt.step, 'state', attempt.state,
          'advertiserId', attempt.advertiser_id, 'verifiedAt', attempt.verified_at) ORDER BY attempt.step)
        FROM run JOIN step_attempt AS attempt ON attempt.run_id = run.id
        WHERE run.device_id = device.id AND run.state = 'open' AND (attempt.state = 'verified'
          OR attempt.state = 'awaiting_postback' AND attempt.expires_at > ${at})) AS attempts,
      (SELECT ${list}(${object}('runId', access_key.run_id, 'expiresAt', access_key.expires_at,
          'fetchedAt', access_key.fetched_at, 'zoneHmac', run.zone_hmac, 'visitorHmac', run.visitor_hmac) ORDER BY access_key.expires_at DESC)
        FROM access_key LEFT JOIN run ON run.id = access_key.run_id
        WHERE access_key.device_id = device.id AND access_key.revoked_at IS NULL
          AND access_key.run_id IS NOT NULL AND access_key.expires_at > ${at}) AS keys,
      (SELECT max(access_key.expires_at) FROM access_key
        WHERE access_key.device_id = device.id AND access_key.run_id IS NOT NULL
          AND access_key.revoked_at IS NULL) AS last_key_expires_at,
      (SELECT ${list}(${object}('visitorHmac', strike.visitor_hmac, 'ipHmac', strike.ip_hmac,
          'code', strike.code, 'weight', strike.weight, 'at', strike.at))
        FROM strike WHERE strike.device_id = device.id AND strike.at > ${struckAfter}) AS strikes,
      (SELECT ${list}(${object}('id', period.id, 'planId', period.plan_id, 'startsAt', period.starts_at,
          'endsAt', period.ends_at, 'revokedAt', period.revoked_at))
        FROM device AS bound JOIN licence_device AS place ON place.device_id = bound.id
          JOIN licence_period AS period ON period.licence_id = place.licence_id
        WHERE bound.app_id = 'main' AND bound.hwid_hmac = ${hwidHmac} AND place.unbound_at IS NULL
          AND period.revoked_at IS NULL AND period.ends_at > ${endedAfter}) AS periods,
      (SELECT ${list}(${object}('id', advertiser.id, 'enabled', advertiser.enabled, 'proof', advertiser.proof,
          'minDwellMs', advertiser.min_dwell_ms, 'failingSince', advertiser.failing_since,
          'usualMs', advertiser.usual_ms, 'finishedPercent', advertiser.finished_percent) ORDER BY advertiser.id)
        FROM advertiser) AS advertisers
    FROM app LEFT JOIN device ON device.app_id = app.id AND device.hwid_hmac = ${hwidHmac}
    WHERE app.id = ${appId}`;
});

export function createSnapshotsRepository(db: Db) {
  return {
    /** @throws AppError `KS_APP` when there is no such app */
    async read(appId: AppId, hwidHmac: string, at: number, { windowMs }: { windowMs: number }): Promise<Snapshot> {
      const of = { appId, hwidHmac, at, struckAfter: at - windowMs, endedAfter: at - PLAN_RENEWAL_MS };
      const [row] = await readSnapshot(db, of);
      if (!row) throw new AppError('KS_APP');

      const { runs, attempts, keys, strikes, periods, advertisers, ...rest } = row;
      return {
        ...rest,
        runs: readList(runs),
        attempts: readList(attempts),
        keys: readList(keys),
        strikes: readList(strikes),
        periods: readList(periods),
        advertisers: readList(advertisers),
      };
    },
  };
}

/** A list as the database returns it: SQLite as JSON text, PostgreSQL as an array, or null when it is empty. */
type JsonRows<Row> = string | Row[] | null;

type ListName = 'runs' | 'attempts' | 'keys' | 'strikes' | 'periods' | 'advertisers';

type SnapshotRow = Omit<Snapshot, ListName> & { [List in ListName]: JsonRows<Snapshot[List][number]> };

function readList<Row>(list: JsonRows<Row>): Row[] {
  return typeof list === 'string' ? (JSON.parse(list) as Row[]) : (list ?? []);
}
