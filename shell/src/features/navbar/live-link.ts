/**
 * The state of the WebSocket that delivers the live count. `attempt` counts the tries in a row, from 1. A link that is
 * live has a time from which on it counts as good: a server that closes what it has just opened would be dialled again
 * and again.
 */
export type LiveLink =
  | { status: 'off' }
  | { status: 'connecting'; attempt: number }
  | { status: 'live'; attempt: number; goodFrom: number }
  | { status: 'waiting'; attempt: number; retryInMs: number };

const FIRST_RETRY_MS = 1000;
const SLOWEST_RETRY_MS = 60_000;
const GOOD_AFTER_MS = 30_000;

/** Close code of a server that has too many sockets (RFC 6455). */
const TRY_AGAIN_LATER = 1013;

export const OFF: LiveLink = { status: 'off' };

/** The state after a connection was started. A link that is connecting or live stays as it is. */
export function dial(link: LiveLink): LiveLink {
  if (link.status === 'connecting' || link.status === 'live') return link;

  return { status: 'connecting', attempt: link.status === 'waiting' ? link.attempt + 1 : 1 };
}

/**
 * The state after the socket has opened. Only a link that is connecting becomes live.
 * @param now milliseconds
 */
export function open(link: LiveLink, now: number): LiveLink {
  return link.status === 'connecting' ? { ...link, status: 'live', goodFrom: now + GOOD_AFTER_MS } : link;
}

/**
 * The state after the socket was lost: the link waits for the next try. The wait doubles with each failure in a row. Where the
 * server has too many sockets it is the longest.
 * @param now as for `open`
 * @param random from 0 to 1; varies the wait, so that not all visitors reconnect at once after the server restarts
 */
export function drop(link: LiveLink, now: number, random: number, code?: number): LiveLink {
  if (link.status === 'off' || link.status === 'waiting') return link;

  const attempt = link.status === 'live' && now >= link.goodFrom ? 1 : link.attempt;
  const wait =
    code === TRY_AGAIN_LATER ? SLOWEST_RETRY_MS : Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), SLOWEST_RETRY_MS);
  return { status: 'waiting', attempt, retryInMs: wait / 2 + (wait / 2) * random };
}
