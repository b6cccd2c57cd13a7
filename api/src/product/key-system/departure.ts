import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { AdvertiserId } from '@app/contracts/key-system';
import type { RunStep } from '#api/product/advertisers/advertisers.service.ts';
import { leadTo, type PageResult } from './destinations.ts';
import type { AttemptOrder } from './issue-attempt.ts';
import type { KeySystem } from './key-system.ts';
import type { StartRequest, StartResult } from './start-request.ts';
import { createTicket, hashTicket, sealVisitor } from './ticket.ts';

/** A visit to an advertiser that is about to begin. */
export interface Departure {
  /** The step, and the advertiser that was chosen for it. */
  at: { page: 'step'; step: number; advertiser: AdvertiserId };
  /** The attempt to issue for it; undefined while the advertiser is down. */
  attempt: AttemptOrder | undefined;
  /** What only the visitor gets. */
  ticket: string;
  link: string | null;
}

/**
 * Chooses the advertiser for a step, and makes the ticket of an attempt. It writes nothing.
 * @param at epoch milliseconds
 */
export async function prepareDeparture(
  { advertisers, limits }: Pick<KeySystem, 'advertisers' | 'limits'>,
  place: RunStep,
  { visitor, advertiser: wanted, by }: Pick<StartRequest, 'visitor' | 'advertiser' | 'by'>,
  at: number,
): Promise<Departure> {
  const { advertiserId, link, ok, minDwellMs } = await advertisers.findStepRoute(place, wanted);
  const id = randomId();
  const ticket = createTicket();
  const attempt = {
    id,
    advertiserId,
    tokenHash: hashTicket(ticket),
    sealedContext: sealVisitor(ticket, id, visitor),
    issuedAt: at,
    by,
    notBefore: at + minDwellMs,
    expiresAt: at + limits.ticketMs,
  };
  return {
    at: { page: 'step', step: place.step, advertiser: advertiserId },
    attempt: ok ? attempt : undefined,
    ticket,
    link,
  };
}

/** Leads to the advertiser's link, which returns with the ticket. The attempt has been issued. */
export async function depart(
  { advertisers, attempts, baseUrl }: Pick<KeySystem, 'advertisers' | 'attempts' | 'baseUrl'>,
  departure: Departure,
): Promise<StartResult> {
  const { attempt, ticket, link } = departure;
  if (!attempt) return refuseDeparture(departure);

  const returnUrl = `${baseUrl()}/api/keysystem/return/${ticket}`;
  const url = await advertisers.createLink(attempt.advertiserId, { attemptId: attempt.id, returnUrl, link });
  if (url !== undefined) return { kind: 'advertiser', url };

  await attempts.withdraw(attempt.id);
  return refuseDeparture(departure);
}

function refuseDeparture({ at }: Departure): PageResult {
  return leadTo({ ...at, notice: 'KS_PROVIDER_DOWN' });
}
