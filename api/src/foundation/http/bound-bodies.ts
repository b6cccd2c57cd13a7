import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/**
 * Bounds the memory that bodies take while they come in, over all connections: beyond it, new ones are refused, and one
 * that goes on is cut. What counts are the bytes that came, because a head can promise any number of them.
 * @param room in bytes
 */
export function boundBodies(room: number): RequestHandler {
  let taken = 0;
  return (req, res, next) => {
    if (taken >= room) throw new AppError('server.busy');

    let own = 0;
    req.on('data', ({ length }: Buffer) => {
      own += length;
      taken += length;
      if (taken > room) req.destroy();
    });
    res.once('close', () => (taken -= own));
    next();
  };
}
