import type { Request, RequestHandler } from 'express';
import type { RateLimit, RateLimiter } from '#api/http/rate-limit.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** How many mails of a kind can be asked for: for one e-mail address in a day, and from one network in an hour. */
export interface MailLimits {
  resetsPerDay: number;
  networkResetsPerHour: number;
}

/**
 * Limits requests that send a mail to an address which anybody can name.
 * @param name the kind of mail; each kind is counted on its own
 * @param emailOf the address of a request; undefined when it has none, and is refused later
 */
export function limitMails(
  limiter: RateLimiter,
  { resetsPerDay, networkResetsPerHour }: MailLimits,
  name: string,
  emailOf: (req: Request) => string | undefined,
  refuse?: RateLimit['refuse'],
): [RequestHandler, RequestHandler] {
  return [
    limiter.byNetwork({ name: `${name}-network`, max: networkResetsPerHour, windowMs: HOUR_MS, refuse }),
    // In lower case, because no common mail server distinguishes upper and lower case.
    limiter.byKey({ name, max: resetsPerDay, windowMs: DAY_MS, refuse }, (req) => emailOf(req)?.toLowerCase()),
  ];
}
