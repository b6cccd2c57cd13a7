import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { networksOf, type Subnet } from '#api/foundation/visitors/client-identity.ts';
import { sockets, socketsRefused } from '#api/foundation/telemetry/metrics.ts';

/** The server accepts no messages, so a small limit is enough. */
const MAX_MESSAGE_BYTES = 256;
/** With the two exchanges between servers, a page knows within a second who has come to another server. */
const BROADCAST_INTERVAL_MS = 700;
/**
 * How many pages are told in a second, at most. Where more are open, each hears of changes less often: ten thousand pages
 * every two seconds.
 */
const MAX_MESSAGES_PER_SECOND = 5000;
/** A page that is loaded anew leaves and comes back, which no other page has to hear of. */
const DEBOUNCE_MS = 250;
const HEARTBEAT_INTERVAL_MS = 30_000;
/** To tell so many pages takes a millisecond. All of ten thousand at once would keep every request waiting. */
const PAGES_PER_TURN = 50;
const CLOSE_TIMEOUT_MS = 2000;

/** A server that stops says goodbye to so many visitors at once, at least, and to all of them in so many waves. */
const MIN_CLOSE_BATCH = 100;
const MAX_CLOSE_BATCHES = 20;
const CLOSE_BATCH_INTERVAL_MS = 200;

/** Close codes. Source: RFC 6455 and its IANA registry */
const SERVICE_RESTART = 1012;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

interface LiveHubOptions {
  server: Server;
  isOurOrigin: (origin: string, req: IncomingMessage) => boolean;
  clientAddressOf: (req: IncomingMessage) => string;
  /** How many sockets may be open at once: in all, and from one network; from a wider one so many times its share. */
  maxSockets: number;
  maxSocketsPerNetwork: number;
  /** How many pages are told in a second, at most. */
  toldASecond?: number;
}

export type LiveHub = ReturnType<typeof openLiveHub>;

/**
 * Tells every open page how many pages are open at all servers: at once when it connects, and when the number changes,
 * after a quarter of a second, and at most every 0.7 seconds; less often where thousands are open. Sockets are accepted on the server's own port, without a path,
 * and only from pages of this site. A page may only answer heartbeats; any other message closes its socket.
 */
export function openLiveHub({
  server,
  isOurOrigin,
  clientAddressOf,
  maxSockets,
  maxSocketsPerNetwork,
  toldASecond = MAX_MESSAGES_PER_SECOND,
}: LiveHubOptions) {
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    autoPong: false,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  /** Each open page, with the count that it was told last. */
  const visitors = new Map<WebSocket, number>();
  const perNetwork = new Map<string, number>();
  const asked = new Set<WebSocket>();
  let elsewhere = 0;
  let toldAt = -Infinity;
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;

  const count = () => visitors.size + elsewhere;

  /** Does something with each open page, and lets others have their turn after every few of them. */
  function forEachPage(act: (visitor: WebSocket, told: number) => void, done = noop) {
    const pages = visitors.entries();
    function takeTurn() {
      for (let acted = 0; acted < PAGES_PER_TURN; acted++) {
        const page = pages.next();
        if (page.done || isClosing) return done();
        act(...page.value);
      }
      setImmediate(takeTurn);
    }
    takeTurn();
  }

  function broadcast() {
    const online = count();
    const message = countMessage(online);
    const tell = (visitor: WebSocket, told: number) => {
      if (told === online || !isReading(visitor)) return;
      visitors.set(visitor, online);
      visitor.send(message, TEXT_FRAME);
      toldAt = performance.now();
    };
    forEachPage(tell, () => {
      timer = undefined;
      if (count() !== online) changed();
    });
  }

  function changed() {
    if (isClosing) return;
    const pauseMs = Math.max(DEBOUNCE_MS, toldAt + broadcastIntervalMs(visitors.size, toldASecond) - performance.now());
    timer ??= setTimeout(broadcast, pauseMs).unref();
  }

  function welcome(visitor: WebSocket, socket: Socket, networks: readonly Subnet[]) {
    const isCrowded = networks.some(
      ({ prefix, share }) => (perNetwork.get(prefix) ?? 0) >= maxSocketsPerNetwork * share,
    );
    const showOut = (code: number) => closeSocket(visitor, socket, code);
    // The library has already sent a close code for a broken frame.
    visitor.on('error', () => endSocket(socket));
    if (visitors.size >= maxSockets || isCrowded) {
      socketsRefused.inc({ reason: visitors.size >= maxSockets ? 'full' : 'network' });
      // The page shows it until it dials again, a minute later.
      visitor.send(countMessage(count()), TEXT_FRAME);
      return showOut(TRY_AGAIN_LATER);
    }

    const online = count() + 1;
    visitors.set(visitor, online);
    sockets.inc();
    for (const { prefix } of networks) perNetwork.set(prefix, (perNetwork.get(prefix) ?? 0) + 1);
    visitor.on('message', () => showOut(POLICY_VIOLATION));
    visitor.on('ping', () => showOut(POLICY_VIOLATION));
    visitor.on('pong', () => {
      if (!asked.delete(visitor)) showOut(POLICY_VIOLATION);
    });
    visitor.on('close', () => {
      for (const { prefix } of networks) {
        const left = (perNetwork.get(prefix) ?? 1) - 1;
        if (left > 0) perNetwork.set(prefix, left);
        else perNetwork.delete(prefix);
      }
      visitors.delete(visitor);
      sockets.dec();
      asked.delete(visitor);
      changed();
    });
    visitor.send(countMessage(online), TEXT_FRAME);
    changed();
  }

  /** Says goodbye to the first so many of some visitors, and a moment later to those after them. */
  function closeWave(remaining: readonly WebSocket[], size: number) {
    const wave = remaining.slice(0, size);
    for (const visitor of wave) visitor.close(SERVICE_RESTART);
    // A sleeping phone does not answer the close, and must not delay the stop.
    setTimeout(() => wave.forEach((visitor) => visitor.terminate()), CLOSE_TIMEOUT_MS).unref();
    if (remaining.length > size) setTimeout(() => closeWave(remaining.slice(size), size), CLOSE_BATCH_INTERVAL_MS);
  }

  /** Ends sockets that did not answer the last heartbeat. */
  const heartbeat = setInterval(
    () =>
      forEachPage((visitor) => {
        if (asked.has(visitor)) return visitor.terminate();
        if (!isReading(visitor)) return;
        asked.add(visitor);
        visitor.ping();
      }),
    HEARTBEAT_INTERVAL_MS,
  ).unref();

  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    // After an upgrade Node no longer handles errors of the socket. Without a listener a reset connection would end the
    // process.
    socket.on('error', noop);
    // Node also does not close a socket whose client never reads.
    socket.setTimeout(CLOSE_TIMEOUT_MS, () => socket.destroy());
    const { origin } = req.headers;
    if (!origin || !isOurOrigin(origin, req) || req.url !== '/') {
      socketsRefused.inc({ reason: 'origin' });
      socket.write('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return endSocket(socket);
    }
    const networks = networksOf(clientAddressOf(req));
    handshakes.handleUpgrade(req, socket, head, (visitor) => welcome(visitor, socket, networks));
  });

  return {
    count: () => visitors.size,
    /** Is told how many pages are open at all other servers. */
    countElsewhere(sockets: number): void {
      if (sockets === elsewhere) return;

      elsewhere = sockets;
      changed();
    },
    /**
     * Takes no new sockets, and closes those that are open: in waves over four seconds, so that the other servers are not
     * dialled by all of them at once.
     */
    close(): void {
      clearTimeout(timer);
      clearInterval(heartbeat);
      isClosing = true;
      handshakes.close();
      closeWave([...visitors.keys()], Math.max(MIN_CLOSE_BATCH, Math.ceil(visitors.size / MAX_CLOSE_BATCHES)));
    },
  };
}

/** How long pages are told nothing after they were told a count. */
export function broadcastIntervalMs(pages: number, toldASecond = MAX_MESSAGES_PER_SECOND): number {
  return Math.max(BROADCAST_INTERVAL_MS, (pages / toldASecond) * 1000);
}

const TEXT_FRAME = { binary: false };

function countMessage(online: number): Buffer {
  return Buffer.from(JSON.stringify({ online }));
}

/**
 * Whether a page reads its messages. If the last message is still waiting here, the socket is ended, because more
 * messages would only fill the memory.
 */
function isReading(visitor: WebSocket): boolean {
  if (visitor.bufferedAmount > 0) visitor.terminate();
  return visitor.readyState === WebSocket.OPEN;
}

/** Sends the close code and does not wait for an answer. Who sends more meanwhile is told nothing more. */
function closeSocket(visitor: WebSocket, socket: Socket, code: number): void {
  if (visitor.readyState !== WebSocket.OPEN) return;
  visitor.close(code);
  endSocket(socket);
}

/** Closes both directions once everything is sent; at once if the client does not read. */
function endSocket(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
  else socket.destroySoon();
}

function noop() {
  return undefined;
}
