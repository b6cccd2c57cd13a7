import type { Request, RequestHandler } from 'express';
import { DatabaseQueueFull } from '#api/foundation/db/database-unavailable.ts';
import { AppError } from './app-error.ts';

const CROWDED_ERROR = 'Requests that can be repeated are shed in favour of runs that have begun.';

/** What a server has to refuse at the moment. */
export interface ServerLoad {
  /** Whether it has more to do than it can, and takes no new runs. */
  isOverloaded: () => boolean;
  /** Whether the queue for a connection to the database is at least half full at this moment. */
  isCrowded: () => boolean;
}

/**
 * For routes whose answer can be asked for again at no loss: answers 503 `server.busy` while the server has too much to do,
 * so that steps, returns and keys of begun runs are served.
 * @param pauseS after how many seconds to ask again; by default as after every 503
 */
export function shedLoad(isBusy: () => boolean, pauseS?: (req: Request) => number): RequestHandler {
  return (req, res, next) => {
    if (!isBusy()) return next();

    if (pauseS) res.set('retry-after', String(pauseS(req)));
    throw new AppError('server.busy', undefined, { cause: new DatabaseQueueFull(CROWDED_ERROR) });
  };
}
