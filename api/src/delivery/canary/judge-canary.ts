import type { Db } from '#api/foundation/db/schema.ts';
import { createChannelsRepository } from '#api/delivery/registry/channels.repository.ts';
import { haltCanary } from '#api/delivery/channels/halt-canary.ts';
import { createLoadReportsRepository } from './load-reports.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * So many networks have to report a failure. Whoever forges reports has one voice in each network that they can send
 * from, and few people have five.
 */
const LEAST_FAILED = 5;

/**
 * The canary is halted where it failed in this part of the networks that got it. A widely served canary cannot be
 * halted by a handful of networks. A release that works loses far fewer loads to bad connections.
 */
const FAILED_PART = 0.2;

/** Counting ends here: it takes a moment for each network, and a canary that fails in so many is halted anyway. */
const MOST_COUNTED = 100_000;

/** In the audit and the listing, for a halt that nobody ordered. */
const WATCH = 'canary watch';

/**
 * Halts a canary that fails in too many networks.
 * @param at epoch milliseconds. What happened before the canary began, or before yesterday (UTC), does not count:
 *   networks have other names by then, so one could count twice
 * @returns why it was halted; undefined when it goes on
 */
export async function judgeCanary(
  { db }: { db: Db },
  unit: string,
  version: string,
  at: number,
): Promise<string | undefined> {
  const channel = (await createChannelsRepository(db).find(unit))?.channel;
  if (channel?.canary !== version) return undefined;

  const reports = createLoadReportsRepository(db);
  const since = Math.max(channel.canarySince ?? 0, (Math.floor(at / DAY_MS) - 1) * DAY_MS);
  // Where the stable release fails as well, the browser is the reason: an extension, or a function that it has not.
  const failed = await reports.count({ unit, version, kind: 'failed' }, since, MOST_COUNTED, channel.stable);
  if (failed < LEAST_FAILED) return undefined;

  const enough = Math.floor(failed / FAILED_PART);
  const served = await reports.count({ unit, version, kind: 'served' }, since, enough + 1);
  if (served > enough) return undefined;

  const reason = `It failed in ${String(failed)} of the ${String(served)} networks that got it`;
  const { outcome } = await haltCanary({ db }, unit, { reason, version, isAutomatic: true }, { by: WATCH, at });
  return outcome === 'moved' ? reason : undefined;
}
