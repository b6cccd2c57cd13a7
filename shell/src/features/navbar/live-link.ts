/** Where our socket stands. Each state carries only what is true in it. */
export type LiveLink =
  | { status: 'off' }
  | { status: 'connecting'; attempt: number }
  | { status: 'live' }
  | { status: 'waiting'; attempt: number; retryInMs: number };

const FIRST_RETRY_MS = 1000;
const SLOWEST_RETRY_MS = 60_000;

export const OFF: LiveLink = { status: 'off' };

export function dial(link: LiveLink): LiveLink {
  if (link.status === 'connecting' || link.status === 'live') return link;

  return { status: 'connecting', attempt: link.status === 'waiting' ? link.attempt + 1 : 1 };
}

export function open(link: LiveLink): LiveLink {
  return link.status === 'connecting' ? { status: 'live' } : link;
}

/**
 * A lost socket is dialled again later, each failure in a row later still.
 * @param random from 0 to 1; spreads the visitors of a restarted server over half of the wait
 */
export function drop(link: LiveLink, random: number): LiveLink {
  if (link.status === 'off' || link.status === 'waiting') return link;

  const attempt = link.status === 'connecting' ? link.attempt : 1;
  const wait = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), SLOWEST_RETRY_MS);
  return { status: 'waiting', attempt, retryInMs: wait / 2 + (wait / 2) * random };
}
