const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 60_000;

/** A server that closes what it has just opened would otherwise be dialled again and again. */
const STABLE_CONNECTION_MS = 30_000;

/** Close code of a server that has too many sockets (RFC 6455). */
const TRY_AGAIN_LATER = 1013;

/**
 * Listens to the server's count of visitors. A lost socket is dialled again, with backoff. The back/forward cache closes
 * the socket and opens it again.
 * @param onLive is told whether the last count is that of now: not once the socket is lost
 * @returns a function that closes the socket and stops all retries
 */
export function listenToCount(onCount: (online: number) => void, onLive: (isLive: boolean) => void): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  function connect() {
    if (socket) return;

    const dialled = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}`);
    let openedAt = Infinity;
    socket = dialled;
    dialled.onopen = () => (openedAt = performance.now());
    dialled.onmessage = ({ data }) => {
      const online = parseOnline(data);
      if (online === undefined) return;

      onCount(online);
      onLive(true);
    };
    dialled.onclose = ({ code }) => {
      if (socket !== dialled) return;

      socket = undefined;
      onLive(false);
      if (performance.now() - openedAt >= STABLE_CONNECTION_MS) failures = 0;
      const backoff = Math.min(MIN_RETRY_DELAY_MS * 2 ** failures++, MAX_RETRY_DELAY_MS);
      const wait = code === TRY_AGAIN_LATER ? MAX_RETRY_DELAY_MS : backoff;
      // Not all visitors come back at once after the server has restarted.
      timer = setTimeout(connect, (wait / 2) * (1 + Math.random()));
    };
  }

  function hangUp() {
    clearTimeout(timer);
    failures = 0;
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
    const { online } = JSON.parse(String(data)) as { online?: unknown };
    return Number.isFinite(online) ? (online as number) : undefined;
  } catch {
    return undefined;
  }
}
