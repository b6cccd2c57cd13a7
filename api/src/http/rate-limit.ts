import { createHmac, randomBytes } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { AppError } from './app-error.ts';
import { clientAddress } from './client-address.ts';
import { networkOf } from './network-of.ts';
import { createWindowCounts } from './window-counts.ts';

const MINUTE_MS = 60_000;

/** The addresses that one subscriber has all to themselves. */
const IPV6_SUBNET = 64;

export interface RateLimit {
  /** What the headers `RateLimit` and `RateLimit-Policy` call the limit. */
  name: string;
  /** How many requests are answered in a window. */
  max: number;
  /** How long a window is: a minute, unless said otherwise. */
  windowMs?: number;
  /** What is said instead of problem+json; status and headers stand already. */
  refuse?: ((res: Response, waitS: number) => void) | undefined;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Makes limits that answer KS_LIMIT, with the seconds to wait in `Retry-After`, once somebody has asked too often.
 * They are counted in this process only, under hashes and in a fixed amount of memory: they spare the server, and decide nothing.
 */
export function createRateLimiter({ now, trustedHops }: { now: () => number; trustedHops: number }) {
  const secret = randomBytes(32);
  /** The client's address, or of IPv6 the part that is one subscriber's. */
  const subscriberOf = (req: Request) => ipKeyGenerator(clientAddress(req, trustedHops), IPV6_SUBNET);

  /**
   * Counts requests under what they name.
   * @param keyOf what is counted together, already checked: it throws where that is malformed, and undefined is not counted
   */
  function byKey(
    { name, max, windowMs = MINUTE_MS, refuse }: RateLimit,
    keyOf: (req: Request) => string | undefined,
  ): RequestHandler {
    const counts = createWindowCounts(windowMs, now);

    return rateLimit({
      identifier: name,
      windowMs,
      limit: max,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      skip: (req) => keyOf(req) === undefined,
      keyGenerator: (req) =>
        createHmac('sha256', secret)
          .update(`${name} ${keyOf(req) ?? ''}`)
          .digest('base64url'),
      store: {
        increment(key) {
          const { count, msLeft } = counts.add(Buffer.from(key, 'base64url'));
          return { totalHits: count, resetTime: new Date(Date.now() + msLeft) };
        },
        decrement: takeNothingBack,
        resetKey: takeNothingBack,
      },
      handler(_req, res, next) {
        const waitS = Number(res.get('retry-after'));
        const error = new AppError('KS_LIMIT', undefined, { until: now() + waitS * 1000 });
        res.status(error.status);
        if (refuse) refuse(res, waitS);
        else next(error);
      },
      // Addresses are those that our own proxies vouch for, and counted by subscriber; there is nothing to warn of.
      validate: false,
    });
  }

  return {
    byKey,

    /** Counts all requests of one address. */
    byAddress: (limit: RateLimit) => byKey(limit, subscriberOf),

    /** Counts all requests from one network, as strikes do. */
    byNetwork: (limit: RateLimit) => byKey(limit, (req) => networkOf(clientAddress(req, trustedHops))),

    /**
     * Counts what one address asks for one device, and what it asks for all of them: carriers put many people behind
     * one address, and whoever makes up devices is one person.
     * @param hwidOf the device that the call acts on, wherever it stands; it throws where that is malformed
     * @param ofAllDevices how many requests of one address are answered in the same time
     */
    byDevice: (limit: RateLimit, hwidOf: (req: Request) => string, ofAllDevices: number): RequestHandler =>
      inTurn(
        byKey(limit, (req) => `${subscriberOf(req)} ${hwidOf(req)}`),
        byKey({ ...limit, name: `${limit.name}-address`, max: ofAllDevices }, subscriberOf),
      ),
  };
}

function inTurn(first: RequestHandler, second: RequestHandler): RequestHandler {
  return (req, res, next) => {
    void first(req, res, (refusal?: unknown) => {
      if (refusal === undefined) void second(req, res, next);
      else next(refusal);
    });
  };
}

function takeNothingBack(): void {
  return undefined;
}
