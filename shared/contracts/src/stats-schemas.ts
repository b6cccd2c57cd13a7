import * as v from 'valibot';
import { MAX_STATS_DAYS } from './stats.ts';

const DAYS_MESSAGE = `must be a whole number from 1 to ${String(MAX_STATS_DAYS)}`;

export const statsQuerySchema = v.object({
  days: v.optional(
    v.pipe(
      v.string(DAYS_MESSAGE),
      v.regex(/^[1-9]\d?$/, DAYS_MESSAGE),
      v.transform(Number),
      v.maxValue(MAX_STATS_DAYS, DAYS_MESSAGE),
    ),
    '30',
  ),
});

const count = v.number();
const outcomeCounts = { sent: count, returned: count, credited: count, refused: count, lost: count };

/** What became of an app's runs. An app, a step and an advertiser may be new to the page. */
export const runStatsSchema = v.object({
  app: v.string(),
  days: v.number(),
  /** The server's clock, and how far it has counted. */
  now: v.number(),
  countedUntil: v.number(),
  steps: v.array(v.object({ step: v.number(), ...outcomeCounts })),
  advertisers: v.array(v.object({ advertiser: v.string(), ...outcomeCounts })),
  /** Every UTC day, the first one first. */
  keys: v.array(v.object({ day: v.string(), issued: count, withdrawn: count })),
});
export type RunStats = v.InferOutput<typeof runStatsSchema>;
