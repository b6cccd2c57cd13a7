import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/** Comes after the handlers of a route: answers OPTIONS with 204, and every other method with 405. */
export function onlyMethods(...methods: string[]): RequestHandler {
  return (req, res) => {
    res.set('allow', methods.join(', '));
    if (req.method === 'OPTIONS') return void res.status(204).end();

    throw new AppError('route.method', `${methods.join(' or ')} is what this address takes.`);
  };
}

const READ_METHODS = ['GET', 'HEAD'];

export const onlyRead = onlyMethods(...READ_METHODS);

/** For routes that change something on GET, so HEAD is refused. */
export const onlyGet = onlyMethods('GET');

/** For routes that change something on GET, once the visitor has answered a question with POST where one was needed. */
export const onlyGetOrPost = onlyMethods('GET', 'POST');

export const onlyPost = onlyMethods('POST');

/** Refuses other methods than GET and HEAD for a folder of files, before their handler. */
export const refuseToWrite: RequestHandler = (req, res, next) => {
  if (READ_METHODS.includes(req.method)) next();
  else onlyRead(req, res, next);
};
