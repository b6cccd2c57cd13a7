import type { Logger } from 'pino';
import { utcDay } from '#api/foundation/audit/anchor.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createOutageLog } from '#api/foundation/jobs/periodic-job.ts';
import { createUptimeRepository } from './uptime.repository.ts';

const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1440;

/** Several turns in a minute: one that comes late would otherwise leave a minute out. Only the first one writes. */
export const RECORD_INTERVAL_MS = 15_000;

export function minuteOfDay(at: number): number {
  return Math.floor(at / MINUTE_MS) % DAY_MINUTES;
}

/** Makes a job that notes each minute in which this server runs and its database takes writes. */
export function createUptimeRecord({ db, log, now }: { db: Db; log: Logger; now: () => number }): () => Promise<void> {
  const uptime = createUptimeRepository(db);
  const attempt = createOutageLog(log, { away: 'the uptime cannot be noted', back: 'the uptime is noted again' });
  let noted: number | undefined;

  return () =>
    attempt(async () => {
      const at = now();
      const minute = Math.floor(at / MINUTE_MS);
      if (minute === noted) return;

      await uptime.note(utcDay(at), minuteOfDay(at));
      noted = minute;
    });
}
