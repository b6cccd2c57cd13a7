import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import { forRequest, isRequestId } from '#api/foundation/telemetry/current-request.ts';

/**
 * Gives each request an id, which error answers, the log and the statements of PostgreSQL name. Behind a proxy of ours it
 * is the one in `X-Request-Id`, if that is well-formed; what a visitor's own header says counts for nothing.
 * @param trustedHops how many of our proxies are in front of the server
 */
export function assignRequestId(trustedHops: number): RequestHandler {
  return (req, res, next) => {
    const given = trustedHops > 0 ? (req.get('x-request-id') ?? '') : '';
    const id = isRequestId(given) ? given : randomUUID();
    res.locals['requestId'] = id;
    forRequest(id, next);
  };
}

/** The id that `assignRequestId` gave the request of this response. */
export function requestIdOf(res: Response): string {
  return String(res.locals['requestId']);
}
