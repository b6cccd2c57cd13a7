import type { Request, RequestHandler } from 'express';
import { DatabaseQueueFull } from '#api/foundation/db/database-unavailable.ts';
import { AppError } from '#api/foundation/http/app-error.ts';

const CROWDED = 'What can be asked for again gives way to runs that have begun.';

/**
 * For routes whose answer can be asked for again at no loss: answers 503 `server.busy` while the server has too much to do,
 * so that presses, returns and keys of begun runs are served.
 * @param isBusy whether it has
 * @param pauseS after how many seconds to ask again; by default as after every 503
 */
export function giveWay(isBusy: () => boolean, pauseS?: (req: Request) => number): RequestHandler {
  return (req, res, next) => {
    if (!isBusy()) return next();

    if (pauseS) res.set('retry-after', String(pauseS(req)));
    throw new AppError('server.busy', undefined, { cause: new DatabaseQueueFull(CROWDED) });
  };
}
