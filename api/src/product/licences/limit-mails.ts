import type { Request, RequestHandler } from 'express';
import type { RateLimit, RateLimiter } from '#api/foundation/http/rate-limit.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How many mails of a kind can be asked for. */
export interface MailLimits {
  /** From one network for one mailbox, in a day. */
  resetsPerDay: number;
  /** From one address for all mailboxes, in a minute. */
  perAddress: { mails: number };
}

/**
 * Limits requests that send a mail to an address which anybody can name. A mailbox is counted for each network alone:
 * otherwise strangers who know it could use up its owner's requests. How many links a mailbox gets from all networks is
 * bounded where they are made.
 * @param name the kind of mail; each kind is counted on its own
 * @param mailboxOf the mailbox of a request; undefined when it has none, and is refused later
 */
export function limitMails(
  limiter: RateLimiter,
  { resetsPerDay, perAddress }: MailLimits,
  name: string,
  mailboxOf: (req: Request) => string | undefined,
  refuse?: RateLimit['refuse'],
): [RequestHandler, RequestHandler] {
  return [
    limiter.byAddress({ name: `${name}-address`, max: perAddress.mails, refuse }),
    limiter.byNetworkAnd({ name, max: resetsPerDay, windowMs: DAY_MS, refuse }, mailboxOf),
  ];
}
