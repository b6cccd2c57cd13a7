import type { RunStats } from '@app/contracts/stats-schemas';
import { DAY_MS, utcDay } from '#api/foundation/audit/anchor.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createCountsRepository, type Outcomes } from './counts.repository.ts';

/** The first of so many UTC days, of which today is the last. */
export function firstDay(days: number, at: number): string {
  return utcDay(at - (days - 1) * DAY_MS);
}

/** Reads what became of the runs of an app on so many days, today included as far as it is counted. */
export async function readStats(db: Db, { app, days }: Pick<RunStats, 'app' | 'days'>, at: number): Promise<RunStats> {
  const counts = createCountsRepository(db);
  const question = { since: firstDay(days, at), appId: app };
  const [countedUntil, steps, advertisers, keys] = await Promise.all([
    counts.readUntil('attempts', 'issued', 'withdrawn'),
    counts.readAttempts('step', question),
    counts.readAttempts('advertiserId', question),
    counts.readKeys(question),
  ]);

  return {
    app,
    days,
    now: at,
    countedUntil,
    steps: steps.map((row) => ({ step: Number(row.of), ...outcomesOf(row) })),
    advertisers: advertisers.map((row) => ({ advertiser: String(row.of), ...outcomesOf(row) })),
    keys: Array.from({ length: days }, (_, nth) => {
      const day = firstDay(days - nth, at);
      const { issued = 0, withdrawn = 0 } = keys.find((row) => row.day === day) ?? {};
      return { day, issued, withdrawn };
    }),
  };
}

function outcomesOf({ sent, returned, credited, refused, lost }: Outcomes): Outcomes {
  return { sent, returned, credited, refused, lost };
}
