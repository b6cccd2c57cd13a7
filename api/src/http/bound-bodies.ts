import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/**
 * Refuses bodies while those that are being read take more memory than there is for them, over all connections. What
 * sends slowly, or promises much, keeps its share until it is over.
 * @param limit the largest body that the parser behind it takes, in bytes
 * @param room the bytes for all of them together
 */
export function boundBodies(limit: number, room: number): RequestHandler {
  let taken = 0;
  return ({ headers }, res, next) => {
    const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : limit;
    // The parser refuses what is longer before it reads anything.
    const share = length <= limit ? length : 0;
    if (taken + share > room) throw new AppError('server.busy');

    taken += share;
    res.once('close', () => (taken -= share));
    next();
  };
}
