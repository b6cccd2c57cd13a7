import { pickAdvertiser } from '@app/contracts/key-system';
import { randomId } from '#api/crypto/random-id.ts';
import { leadTo, resolveDestination } from './destinations.ts';
import { issueAttempt } from './issue-attempt.ts';
import type { KeySystem } from './key-system.ts';
import { moveRun } from './move-run.ts';
import type { OpenRun } from './snapshots.repository.ts';
import { claimantOf, keepsZone, zoneOf, type StartRequest, type StartResult } from './start-request.ts';
import { createTicket, hashTicket, sealVisitor } from './ticket.ts';
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
  { visitor, advertiser: wanted, by }: StartRequest,
  at: number,
): Promise<StartResult> {
  const { advertisers, attempts, runs, limits, baseUrl } = keySystem;
  const { advertiserId, link } = await advertisers.findStepRoute(run, wanted);
  const here = { page: 'step', step: run.step, advertiser: advertiserId } as const;
  const terms = await advertisers.getTerms(advertiserId);
  if (!terms.ok) return leadTo({ ...here, notice: 'KS_PROVIDER_DOWN' });

  const id = randomId();
  const ticket = createTicket();
  const issued = await issueAttempt(keySystem, run, {
    id,
    advertiserId,
    tokenHash: hashTicket(ticket),
    sealedContext: sealVisitor(ticket, id, visitor),
    issuedAt: at,
    by,
    notBefore: at + terms.minDwellMs,
    expiresAt: at + limits.ticketMs,
  });
  if (issued.kind === 'limited') return leadTo({ ...here, notice: 'KS_LIMIT', until: issued.until });
  if (issued.kind === 'moved_on') return leadTo(resolveDestination((await runs.find(run.id)) ?? run, at, advertiserId));

  const returnUrl = `${baseUrl()}/api/keysystem/return/${ticket}`;
  const url = await advertisers.createLink(advertiserId, { attemptId: id, returnUrl, link });
  if (url !== undefined) return { kind: 'advertiser', url };

  await attempts.withdraw(id);
  return leadTo({ ...here, notice: 'KS_PROVIDER_DOWN' });
}
