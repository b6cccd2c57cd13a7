import type { RequestHandler } from 'express';
import { DatabaseQueueFull } from '#api/db/database-unavailable.ts';
import { AppError } from './app-error.ts';

const CROWDED = 'Half of the queue for the database is taken, and the rest is for runs that have begun.';

/**
 * For routes whose answer can be asked for again at no loss: answers 503 `server.busy` while the queue for a connection to
 * the database is at least half full, so that presses, returns and keys still find a place in it.
 * @param isCrowded whether it is
 */
export function giveWay(isCrowded: () => boolean): RequestHandler {
  return (_req, _res, next) => {
    if (!isCrowded()) return next();

    throw new AppError('server.busy', undefined, { cause: new DatabaseQueueFull(CROWDED) });
  };
}
