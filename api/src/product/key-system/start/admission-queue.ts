import { randomInt } from 'node:crypto';
import { createCountMinSketch } from '#api/foundation/http/rate-limit.ts';

/** How long a visitor waits at least who could not begin, and up to how much longer by chance, in seconds. */
const MIN_WAIT_S = 5;
const JITTER_S = 10;

/** How many of them come back each second. To be refused once more costs a server about a millisecond. */
const RETURNS_PER_SECOND = 100;

/** How long the queue gets, in seconds. Beyond that more come back at once than there should. */
const MAX_QUEUE_S = 120;

/** How many places a network gets in a minute: a tenth of all. Carriers have many people in one. */
const PLACES_PER_NETWORK = (60 * RETURNS_PER_SECOND) / 10;
const MINUTE_MS = 60_000;

/** A visitor who could not begin gets a place in this queue, and comes back when it is their turn. */
export type AdmissionQueue = ReturnType<typeof createAdmissionQueue>;

/**
 * Spreads the visitors who could not begin over time. While few wait, each comes back after 5 to 15 seconds; the more
 * wait, the later, so that those who ask again do not keep the server busy by themselves. A network that asks for more
 * places than it gets makes no other visitor wait longer.
 * @param now epoch milliseconds
 */
export function createAdmissionQueue(now: () => number) {
  /** The turn of the last visitor in the queue, in epoch milliseconds. */
  let lastTurnAt = 0;
  const places = createCountMinSketch(MINUTE_MS, now);

  return {
    /** How long the next visitor of a network waits, in seconds. */
    join(network: string): number {
      const at = now();
      const isPlace = places.add(Buffer.from(network, 'base64url').toString('hex')).count <= PLACES_PER_NETWORK;
      const turnAt = isPlace ? lastTurnAt + 1000 / RETURNS_PER_SECOND : lastTurnAt;
      lastTurnAt = Math.min(Math.max(at, turnAt), at + MAX_QUEUE_S * 1000);
      return Math.floor((lastTurnAt - at) / 1000) + MIN_WAIT_S + randomInt(JITTER_S + 1);
    },
  };
}
