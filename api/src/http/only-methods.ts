import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/**
 * Ends a route, after its handlers: whoever asks by another method is told which ones there are.
 * @param methods those that the route takes
 */
export function onlyMethods(...methods: string[]): RequestHandler {
  return (req, res) => {
    res.set('allow', methods.join(', '));
    if (req.method === 'OPTIONS') return void res.status(204).end();

    throw new AppError('route.method', `${methods.join(' or ')} is what this address takes.`);
  };
}

const READS = ['GET', 'HEAD'];

/** For what can be read. */
export const onlyRead = onlyMethods(...READS);

/** For what changes something on a GET, so that a look at its head alone is refused. */
export const onlyGet = onlyMethods('GET');

export const onlyPost = onlyMethods('POST');

/** The same for a folder, whose files another handler has answered for already. */
export const refuseToWrite: RequestHandler = (req, res, next) => {
  if (READS.includes(req.method)) next();
  else onlyRead(req, res, next);
};
