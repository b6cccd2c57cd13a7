import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

const SECOND = 1000;

/** Requests on one connection, answered or waiting. Browsers and proxies send one after the other. */
const MAX_REQUESTS_AT_ONCE = 100;

interface Patience {
  /** For a request's headers, from the connection's first moment on. */
  headersMs?: number;
  /** For a whole request; the largest body is a captcha's solution of 16 kB. */
  requestMs?: number;
  /** How often slow connections are looked for. */
  checkMs?: number;
}

/** A server that does not wait long for clients who send their requests slowly, or nothing at all. Its caller makes it listen. */
export function createHttpServer({
  headersMs = 15 * SECOND,
  requestMs = 30 * SECOND,
  checkMs = 5 * SECOND,
}: Patience = {}): Server {
  return createServer({ headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs });
}

export interface Connections {
  /** Closes what carries no request at the moment: kept-alive connections, and those that browsers open ahead. */
  closeIdle: () => void;
}

/**
 * Knows which connections are busy, and ends those that ask for too much at once.
 * Node itself takes a connection on which nothing has been said yet for busy.
 */
export function watchConnections(server: Server): Connections {
  const requestsOn = new Map<Socket, number>();
  const count = (socket: Socket, change: 1 | -1) => {
    const requests = requestsOn.get(socket);
    if (requests !== undefined) requestsOn.set(socket, requests + change);
  };

  server.on('connection', (socket: Socket) => {
    requestsOn.set(socket, 0);
    socket.on('close', () => requestsOn.delete(socket));
  });
  server.on('request', ({ socket }, res) => {
    count(socket, 1);
    if ((requestsOn.get(socket) ?? 0) > MAX_REQUESTS_AT_ONCE) socket.destroy();
    res.on('close', () => count(socket, -1));
  });
  // Whoever takes an upgraded connection ends it.
  server.on('upgrade', ({ socket }) => requestsOn.delete(socket));

  return {
    closeIdle() {
      for (const [socket, requests] of requestsOn) if (requests === 0) socket.destroy();
    },
  };
}

/**
 * Takes up a request only when the answers to those before it on its connection are out. An answer that never gets its turn,
 * because the client is gone, is never closed by Node, and would keep its file open for ever.
 */
export function answerInTurn(answer: RequestListener): RequestListener {
  return (req, res) => {
    if (res.socket) return answer(req, res);
    // Node is still at work on the answer when it says that its turn has come.
    res.once('socket', () => queueMicrotask(() => answer(req, res)));
  };
}
