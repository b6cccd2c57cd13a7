import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { AppError } from './app-error.ts';
import { clientAddress } from './client-address.ts';
import { networkOf } from './network-of.ts';
import { countError } from './request-metrics.ts';
import { createWindowCounts } from './window-counts.ts';

const MINUTE_MS = 60_000;

/** The prefix length of IPv6 addresses that belong to one subscriber. */
const IPV6_SUBNET = 64;

export interface RateLimit {
  /** The name of the limit in the headers `RateLimit` and `RateLimit-Policy`. */
  name: string;
  /** How many requests are answered in a window. */
  max: number;
  /** The length of a window in milliseconds; by default a minute. */
  windowMs?: number;
  /** Sends another answer than problem+json; status and headers are set already. */
  refuse?: ((res: Response, waitS: number) => void) | undefined;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Makes rate limits. Too many requests are answered with `KS_LIMIT` and the seconds to wait in `Retry-After`. Requests
 * are counted in this process only, under hashes and in a fixed amount of memory. These limits only protect the server;
 * limits that decide are counted in the database.
 */
export function createRateLimiter({ now, trustedHops }: { now: () => number; trustedHops: number }) {
  const secret = createSecretKey(randomBytes(32));
  const hash = (name: string) => (key: string) => createHmac('sha256', secret).update(`${name} ${key}`).digest();
  /** The client's address; for IPv6 its /64. */
  const subscriberOf = (req: Request) => ipKeyGenerator(clientAddress(req, trustedHops), IPV6_SUBNET);

  /**
   * Counts requests by a key.
   * @param keyOf the key of a request; throws when the request is malformed; a request without a key is not counted
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
      keyGenerator: (req) => hash(name)(keyOf(req) ?? '').toString('base64url'),
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
        if (!refuse) return next(error);
        countError(error.code);
        refuse(res, waitS);
      },
      // The library's checks of the address do not apply: ours comes from our own proxies only.
      validate: false,
    });
  }

  return {
    byKey,

    /**
     * Counts failures only: requests are refused after `max` of them with one key.
     * @param keysOf the keys of a request, given its network; throws when the request is malformed
     * @returns `refuse`, which comes before the handler, and `count`, which the handler calls when a request failed
     */
    byFailures(
      { name, max, windowMs = MINUTE_MS }: Omit<RateLimit, 'refuse'>,
      keysOf: (req: Request, network: string) => readonly string[],
    ): { refuse: RequestHandler; count: (req: Request) => void } {
      const counts = createWindowCounts(windowMs, now);
      const hashesOf = (req: Request) => keysOf(req, networkOf(clientAddress(req, trustedHops))).map(hash(name));

      return {
        refuse(req, res, next) {
          const full = hashesOf(req)
            .map((key) => counts.read(key))
            .find(({ count }) => count >= max);
          if (!full) return next();

          res.set('retry-after', String(Math.ceil(full.msLeft / 1000)));
          next(new AppError('KS_LIMIT', undefined, { until: now() + full.msLeft }));
        },
        count(req) {
          for (const key of hashesOf(req)) counts.add(key);
        },
      };
    },

    /** Counts all requests of an address. */
    byAddress: (limit: RateLimit) => byKey(limit, subscriberOf),

    /** Counts all requests of a network, the same as strikes use. */
    byNetwork: (limit: RateLimit) => byKey(limit, (req) => networkOf(clientAddress(req, trustedHops))),

    /**
     * Counts the requests of an address for one device, and for all devices together. A carrier has many people behind
     * one address, but one person can invent many device ids.
     * @param hwidOf the device that the call acts on; throws when it is malformed
     * @param ofAllDevices how many requests of an address for all devices are answered in a window
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
