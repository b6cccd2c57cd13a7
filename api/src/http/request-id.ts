import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

/** Gives each request an id, which the log and error answers name. */
export function assignRequestId(): RequestHandler {
  return (_req, res, next) => {
    res.locals['requestId'] = randomUUID();
    next();
  };
}

/** The id that `assignRequestId` gave the request of this response. */
export function requestIdOf(res: Response): string {
  return String(res.locals['requestId']);
}
