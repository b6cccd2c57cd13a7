import { pickAdvertiser } from '@app/contracts/key-system';
import { depart, prepareDeparture } from './departure.ts';
import { leadTo, resolveDestination } from './destinations.ts';
import { issueAttempt } from './issue-attempt.ts';
import type { KeySystem } from './key-system.ts';
import { moveRun } from './move-run.ts';
import type { OpenRun } from './snapshots.repository.ts';
import { claimantOf, keepsZone, zoneOf, type StartRequest, type StartResult } from './start-request.ts';
import { matchZone } from './zone-matching.ts';

/**
 * Continues an open run: leads the visitor to an advertiser, or to the page where they belong. Each press decides to
 * which zone the key will go; the end of the run decides nothing.
 * @param at epoch milliseconds
 */
export async function continueRun(
  keySystem: KeySystem,
  run: OpenRun,
  request: StartRequest,
  at: number,
): Promise<StartResult> {
  const { id, appId, step } = run;
  if (request.step !== undefined && request.step !== step) return leadTo(resolveDestination(run, at));

  const zone = matchZone(run, claimantOf(keySystem, request));
  if (zone === 'other' && request.run !== 'keep') {
    const advertiser = pickAdvertiser(appId, step, request.advertiser);
    return leadTo({ page: 'step', step, advertiser, notice: 'KS_OTHER_ZONE' });
  }
  if (zone === 'moves' && !keepsZone(request))
    await moveRun(keySystem, id, zoneOf(keySystem, id, request), request.by, at);
  return leaveForAdvertiser(keySystem, run, request, at);
}

/** Issues a ticket for the run's current step, and leads to the advertiser's link that returns with it. */
async function leaveForAdvertiser(
  keySystem: KeySystem,
  run: OpenRun,
  request: StartRequest,
  at: number,
): Promise<StartResult> {
  const departure = await prepareDeparture(keySystem, run, request, at);
  const { at: here, attempt } = departure;
  const issued = attempt && (await issueAttempt(keySystem, run, attempt));
  if (issued?.kind === 'limited') return leadTo({ ...here, notice: 'KS_LIMIT', until: issued.until });
  if (issued?.kind === 'moved_on')
    return leadTo(resolveDestination((await keySystem.runs.find(run.id)) ?? run, at, here.advertiser));

  return depart(keySystem, departure);
}
