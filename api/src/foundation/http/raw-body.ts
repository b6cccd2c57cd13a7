import { finished } from 'node:stream';
import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/** What the server keeps of each part of a body beside its bytes. A body can come in parts of one byte. */
const CHUNK_OVERHEAD_BYTES = 256;

interface MemoryBudget {
  /** What a body may take, in bytes. */
  limit: number;
  /** What all bodies that are still coming may take together, in bytes. */
  room: number;
  /** How long a body may take to arrive; milliseconds. */
  timeoutMs: number;
}

/**
 * Reads bodies as they are sent, within a bounded part of the memory. What has come of a body counts, not what it
 * promises; where there is no room for more, the body that has been coming for longest gives way, because an honest one
 * is here at once. Whoever gives way is answered. A connection that breaks off instead would count against the server in
 * nginx, which would give it up.
 */
export function rawBody({ limit, room, timeoutMs }: MemoryBudget): RequestHandler {
  /** Refuses each body that is still coming; the oldest is the first. */
  const coming = new Set<() => void>();
  let taken = 0;

  return (req, _res, next) => {
    const parts: Buffer[] = [];
    let bytes = 0;

    const end = (problem?: AppError) => {
      if (!coming.delete(giveWay)) return;
      clearTimeout(slow);
      stopWaiting();
      taken -= bytes;
      // The rest is read and dropped.
      req.off('data', take);
      if (!problem) req.body = Buffer.concat(parts);
      next(problem);
    };
    const giveWay = () => end(new AppError('request.invalid', 'The body came too slowly.'));
    const take = (part: Buffer) => {
      parts.push(part);
      bytes += part.length + CHUNK_OVERHEAD_BYTES;
      taken += part.length + CHUNK_OVERHEAD_BYTES;
      if (bytes > limit) return end(new AppError('request.invalid', 'The body is too large.'));
      for (const giveOldestWay of coming) if (taken > room) giveOldestWay();
    };

    coming.add(giveWay);
    const slow = setTimeout(giveWay, timeoutMs);
    const stopWaiting = finished(req, { writable: false }, (cut) => (cut ? giveWay() : end()));
    req.on('data', take);
  };
}
