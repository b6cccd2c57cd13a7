/** The state of the WebSocket that delivers the live count. `attempt` counts the tries in a row, from 1. */
export type LiveLink =
  | { status: 'off' }
  | { status: 'connecting'; attempt: number }
  | { status: 'live' }
  | { status: 'waiting'; attempt: number; retryInMs: number };

const FIRST_RETRY_MS = 1000;
const SLOWEST_RETRY_MS = 60_000;

export const OFF: LiveLink = { status: 'off' };

/** The state after a connection was started. A link that is connecting or live stays as it is. */
export function dial(link: LiveLink): LiveLink {
  if (link.status === 'connecting' || link.status === 'live') return link;

  return { status: 'connecting', attempt: link.status === 'waiting' ? link.attempt + 1 : 1 };
}

/** The state after the socket has opened. Only a link that is connecting becomes live. */
export function open(link: LiveLink): LiveLink {
  return link.status === 'connecting' ? { status: 'live' } : link;
}

/**
 * The state after the socket was lost: the link waits for the next try. The wait doubles with each failure in a row.
 * @param random from 0 to 1; varies the wait, so that not all visitors reconnect at once after the server restarts
 */
export function drop(link: LiveLink, random: number): LiveLink {
  if (link.status === 'off' || link.status === 'waiting') return link;

  const attempt = link.status === 'connecting' ? link.attempt : 1;
  const wait = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), SLOWEST_RETRY_MS);
  return { status: 'waiting', attempt, retryInMs: wait / 2 + (wait / 2) * random };
}
