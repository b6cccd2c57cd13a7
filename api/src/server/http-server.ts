import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

const SECOND_MS = 1000;

/** How many requests one connection may have open at once (pipelining). Others send one after the other. */
const MAX_REQUESTS_AT_ONCE = 100;

/** How many silent connections are closed in one turn of the event loop: a thousand at once would delay every request. */
const CLOSED_PER_TURN = 50;

interface Timeouts {
  /** How long a client may take for the headers, from the start of the connection. */
  headersMs?: number;
  /** How long a client may take for a whole request. The largest body is a captcha's solution of 16 kB. */
  requestMs?: number;
  /** How often the server looks for slow connections. */
  checkMs?: number;
  /**
   * How long nothing may come or go on a connection with an open request: its client reads nothing, or has gone. While an
   * answer waits to be read, Node counts the time twice. A part of a page that QA lets hang does so for 120 s.
   */
  silentMs?: number;
}

/**
 * Creates a server that closes connections of clients that send slowly, or read nothing. The caller makes it listen. It knows
 * no other protocol than WebSocket: a client that offers one, as Java's does with `h2c`, is answered as usual.
 */
export function createHttpServer({
  headersMs = 15 * SECOND_MS,
  requestMs = 30 * SECOND_MS,
  checkMs = 5 * SECOND_MS,
  silentMs = 150 * SECOND_MS,
}: Timeouts = {}): Server {
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  return server.setTimeout(silentMs, closeGradually());
}

/** Closes connections, a few in each turn. */
function closeGradually(): (socket: Socket) => void {
  const waiting: Socket[] = [];
  function takeTurn() {
    for (const socket of waiting.splice(0, CLOSED_PER_TURN)) socket.destroy();
    if (waiting.length > 0) setImmediate(takeTurn);
  }
  return (socket) => {
    if (waiting.push(socket) === 1) setImmediate(takeTurn);
  };
}

export type Connections = ReturnType<typeof watchConnections>;

/**
 * Tracks which connections have open requests, and closes those with too many. Node's own `closeIdleConnections` counts
 * a connection as busy on which no request has come yet.
 */
export function watchConnections(server: Server) {
  const requestsOn = new Map<Socket, number>();
  const open = new Set<IncomingMessage>();
  const count = (socket: Socket, change: 1 | -1) => {
    const requests = requestsOn.get(socket);
    if (requests !== undefined) requestsOn.set(socket, requests + change);
  };

  server.on('connection', (socket: Socket) => {
    requestsOn.set(socket, 0);
    socket.on('close', () => requestsOn.delete(socket));
  });
  server.on('request', (req, res) => {
    const { socket } = req;
    count(socket, 1);
    open.add(req);
    if ((requestsOn.get(socket) ?? 0) > MAX_REQUESTS_AT_ONCE) socket.destroy();
    res.on('close', () => {
      count(socket, -1);
      open.delete(req);
    });
  });
  // The handler of an upgrade closes that connection.
  server.on('upgrade', ({ socket }) => requestsOn.delete(socket));

  return {
    /** Closes kept-alive connections, and those that browsers open in advance. */
    closeIdle(): void {
      for (const [socket, requests] of requestsOn) if (requests === 0) socket.destroy();
    },
    /** Closes connections on which a request has begun and not come to its end. */
    closeHalfSent(): void {
      for (const { complete, socket } of open) if (!complete) socket.destroy();
    },
  };
}

/**
 * Handles a request only when all earlier responses on its connection are sent. When a client is gone, Node never
 * closes a response that is still waiting for its turn, and its file would stay open.
 */
export function serializePipelined(answer: RequestListener): RequestListener {
  return (req, res) => {
    if (res.socket) return answer(req, res);
    // Node emits `socket` while it still sets up the response.
    res.once('socket', () => queueMicrotask(() => answer(req, res)));
  };
}
