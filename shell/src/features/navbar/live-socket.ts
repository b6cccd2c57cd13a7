import { dial, drop, OFF, open, type LiveLink } from './live-link.ts';

/**
 * Listens to the server's count of visitors over a WebSocket to the site's own host. The socket closes when the
 * browser puts the page into its back/forward cache, and opens again when the page is restored.
 * @param onCount called with each count
 * @returns a function that closes the socket and stops all retries
 */
export function listenToCount(onCount: (online: number) => void): () => void {
  let link: LiveLink = OFF;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect() {
    const next = dial(link);
    if (next === link) return;

    link = next;
    const opened = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}`);
    socket = opened;
    opened.onopen = () => (link = open(link, performance.now()));
    opened.onmessage = ({ data }) => {
      const online = parseOnline(data);
      if (online !== undefined) onCount(online);
    };
    opened.onclose = ({ code }) => {
      if (socket === opened) onLost(code);
    };
  }

  function onLost(code: number) {
    link = drop(link, performance.now(), Math.random(), code);
    if (link.status === 'waiting') timer = setTimeout(connect, link.retryInMs);
  }

  function hangUp() {
    clearTimeout(timer);
    link = OFF;
    socket?.close();
    socket = undefined;
  }

  window.addEventListener('pagehide', hangUp);
  window.addEventListener('pageshow', connect);
  connect();

  return () => {
    window.removeEventListener('pagehide', hangUp);
    window.removeEventListener('pageshow', connect);
    hangUp();
  };
}

/** Reads the number in a message `{"online": n}`. Undefined when the message is malformed. */
export function parseOnline(data: unknown): number | undefined {
  try {
    const message: unknown = JSON.parse(String(data));
    const online = typeof message === 'object' && message !== null && 'online' in message ? message.online : undefined;
    return typeof online === 'number' && Number.isFinite(online) ? online : undefined;
  } catch {
    return undefined;
  }
}
