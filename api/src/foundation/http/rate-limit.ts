import { hash, randomBytes } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { clientAddress, networksOf, type Subnet, subscribersOf } from '#api/foundation/visitors/client-identity.ts';
import { AppError } from './app-error.ts';
import { countError } from './observe-requests.ts';

const MINUTE_MS = 60_000;

export interface RateLimit {
  /** In the headers `RateLimit` and `RateLimit-Policy`. */
  name: string;
  /** How many requests are answered in a window; for a wider subnet so many times its share. */
  max: number;
  /** The length of a window in milliseconds; by default a minute. */
  windowMs?: number;
  /** Sends another answer than problem+json; status and headers are set already. */
  refuse?: ((res: Response, waitS: number) => void) | undefined;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** What a request is counted under, with how many times a limit's `max` is allowed there. */
interface CountedRequest {
  key: string;
  share: number;
}

/**
 * Makes rate limits. Too many requests are answered with `KS_LIMIT` and the seconds to wait in `Retry-After`. Requests
 * are counted in this process only, under hashes and in a fixed amount of memory. These limits only protect the server;
 * limits that decide are counted in the database.
 */
export function createRateLimiter({ now, trustedHops }: { now: () => number; trustedHops: number }) {
  const secret = randomBytes(32).toString('base64url');
  const subscribers = (req: Request) => subscribersOf(clientAddress(req, trustedHops));
  const networks = (req: Request) => networksOf(clientAddress(req, trustedHops));

  /**
   * Counts requests by keys, from the narrowest to the widest. What a narrower one refuses is not counted under a wider
   * one, so that no client uses up the share of its neighbours.
   * @param keysOf throws when the request is malformed; a request without a key is not counted
   */
  function byKeys(
    { name, max, windowMs = MINUTE_MS, refuse }: RateLimit,
    keysOf: (req: Request) => readonly CountedRequest[],
  ): RequestHandler {
    const counts = createCountMinSketch(windowMs, now);

    return rateLimit({
      identifier: name,
      windowMs,
      limit: max,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      skip: (req) => keysOf(req).length === 0,
      // A store is given one text for all keys of a request.
      keyGenerator: (req) => JSON.stringify(keysOf(req)),
      store: {
        increment(keys) {
          let [totalHits, msLeft] = [0, windowMs];
          for (const { key, share } of JSON.parse(keys) as CountedRequest[]) {
            const seen = counts.add(hash('sha256', `${secret} ${name} ${key}`, 'hex'));
            totalHits = Math.max(totalHits, Math.ceil(seen.count / share));
            ({ msLeft } = seen);
            if (totalHits > max) break;
          }
          return { totalHits, resetTime: new Date(Date.now() + msLeft) };
        },
        decrement: () => undefined,
        resetKey: () => undefined,
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

  /** @param also the rest of the key; a request without it is not counted */
  const inSubnets = (
    limit: RateLimit,
    subnetsOf: (req: Request) => readonly Subnet[],
    also: (req: Request) => string | undefined = () => '',
  ) =>
    byKeys(limit, (req) => {
      const key = also(req);
      return key === undefined ? [] : subnetsOf(req).map(({ prefix, share }) => ({ key: `${prefix} ${key}`, share }));
    });

  return {
    /** @param keyOf throws when the request is malformed; a request without a key is not counted */
    byKey: (limit: RateLimit, keyOf: (req: Request) => string | undefined): RequestHandler =>
      byKeys(limit, (req) => {
        const key = keyOf(req);
        return key === undefined ? [] : [{ key, share: 1 }];
      }),

    byAddress: (limit: RateLimit) => inSubnets(limit, subscribers),

    byNetwork: (limit: RateLimit) => inSubnets(limit, networks),

    /** @param keyOf as for `byKey` */
    byNetworkAnd: (limit: RateLimit, keyOf: (req: Request) => string | undefined) => inSubnets(limit, networks, keyOf),

    /**
     * Counts the requests of an address for one device, and for all devices together. A carrier has many people behind
     * one address, but one person can invent many device ids.
     * @param hwidOf the device that the call acts on; throws when it is malformed
     * @param ofAllDevices how many requests of an address for all devices are answered in a window
     */
    byDevice: (limit: RateLimit, hwidOf: (req: Request) => string, ofAllDevices: number): RequestHandler =>
      chainHandlers(
        inSubnets(limit, subscribers, hwidOf),
        inSubnets({ ...limit, name: `${limit.name}-address`, max: ofAllDevices }, subscribers),
      ),
  };
}

function chainHandlers(first: RequestHandler, second: RequestHandler): RequestHandler {
  return (req, res, next) => {
    void first(req, res, (refusal?: unknown) => {
      if (refusal === undefined) void second(req, res, next);
      else next(refusal);
    });
  };
}

const SKETCH_ROWS = 4;
const SKETCH_COLUMNS = 2 ** 16;

/**
 * Counts how often each key is seen in a window of time, in one megabyte for any number of keys: a count-min sketch
 * with conservative update. A key has a cell in each row, and its count is the smallest of its cells. So no key is ever
 * evicted and no count is too low. A count is too high only if other keys share all cells of the key, which takes many
 * more keys in one window than there are cells.
 * @param windowMs the length of a window; the first begins at once, and each window starts from zero
 * @param now the clock, in epoch milliseconds
 */
export function createCountMinSketch(windowMs: number, now: () => number) {
  /** Made for the first key that is counted. */
  let cells: Uint32Array | undefined;
  const begun = now();
  let current = 0;

  /** Begins the next window when this one is over. Returns how many milliseconds of the window are left. */
  function readClock(): number {
    const elapsed = now() - begun;
    const window = Math.floor(elapsed / windowMs);
    if (window !== current) {
      cells?.fill(0);
      current = window;
    }
    return (window + 1) * windowMs - elapsed;
  }

  return {
    /**
     * Counts a key once; tells how often it was seen in this window, and how many milliseconds of it are left.
     * @param hash at least 16 hexadecimal digits of a hash with a secret, so that no client can choose another key's
     *   cells
     */
    add(hash: string): { count: number; msLeft: number } {
      const msLeft = readClock();
      /** The cell of the key in each row. */
      const places = Array.from(
        { length: SKETCH_ROWS },
        (_, row) => row * SKETCH_COLUMNS + Number.parseInt(hash.slice(4 * row, 4 * row + 4), 16),
      );
      const counted = (cells ??= new Uint32Array(SKETCH_ROWS * SKETCH_COLUMNS));
      const count = Math.min(...places.map((place) => counted[place] ?? 0)) + 1;
      for (const place of places) counted[place] = Math.max(counted[place] ?? 0, count);

      return { count, msLeft };
    },
  };
}
