import type { Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { AppError } from './app-error.ts';
import { clientAddress } from './client-address.ts';

const MINUTE_MS = 60_000;

interface RateLimit {
  perMinute: number;
  /** Whose requests are counted together. */
  keyOf: (req: Request) => string;
  /** What is said instead of problem+json. */
  refuse?: (res: Response) => void;
}

/**
 * Answers KS_LIMIT, with the seconds to wait in `Retry-After`, once somebody has asked too often within a minute.
 * Counted in this process only: it spares the server, it decides nothing.
 */
export function limitRate({ perMinute, keyOf, refuse }: RateLimit): RequestHandler {
  return rateLimit({
    windowMs: MINUTE_MS,
    limit: perMinute,
    keyGenerator: keyOf,
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_req, res, next) => {
      const error = new AppError('KS_LIMIT');
      res.status(error.status).set('retry-after', String(MINUTE_MS / 1000));
      if (refuse) refuse(res);
      else next(error);
    },
    // Keys are made of what we have parsed or of an address; nothing of them is guessed from headers.
    validate: false,
  });
}

/** One address asking for one device: carriers put many people behind one address, and many devices behind one person. */
export function addressAndDevice(trustedHops: number): (req: Request) => string {
  return (req) => {
    const { hwid } = { ...(req.body as object | undefined), ...req.query } as { hwid?: unknown };
    return `${clientAddress(req, trustedHops)} ${typeof hwid === 'string' ? hwid : ''}`;
  };
}
