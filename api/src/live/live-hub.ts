import type { IncomingMessage, Server } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { networkOf } from '../http/network-of.ts';

/** The server reads no message, so none needs to be larger than a greeting. */
const MAX_MESSAGE_BYTES = 256;
const BETWEEN_BROADCASTS_MS = 1000;
const HEARTBEAT_MS = 30_000;
const GOODBYE_MS = 2000;

/** Close codes of RFC 6455 and its registry. */
const GOING_AWAY = 1001;
const AGAINST_THE_RULES = 1008;
const TRY_AGAIN_LATER = 1013;

interface LiveHubOptions {
  server: Server;
  /** Whether a page of this origin is one of ours. */
  isOurOrigin: (origin: string, req: IncomingMessage) => boolean;
  /** The visitor's address, as far as our proxies vouch for it. */
  addressOf: (req: IncomingMessage) => string;
  /** How many sockets at once, from everywhere and from one network. */
  maxSockets: number;
  maxSocketsPerNetwork: number;
}

export interface LiveHub {
  /** Says goodbye to every visitor and takes no new ones. */
  close: () => void;
}

/**
 * Tells every open page how many there are: at once on connecting, then at most once a second on a change.
 * Sockets are taken on the server's own port, without a path, from pages of this site only.
 */
export function openLiveHub({ server, isOurOrigin, addressOf, maxSockets, maxSocketsPerNetwork }: LiveHubOptions): LiveHub {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const perNetwork = new Map<string, number>();
  const silent = new Set<WebSocket>();
  let told = 0;
  let timer: NodeJS.Timeout | undefined;

  function broadcast() {
    timer = undefined;
    const online = sockets.clients.size;
    if (online === told) return;

    told = online;
    const message = countMessage(online);
    for (const client of sockets.clients) if (client.readyState === WebSocket.OPEN) client.send(message, TEXT);
  }

  function changed() {
    timer ??= setTimeout(broadcast, BETWEEN_BROADCASTS_MS).unref();
  }

  function welcome(socket: WebSocket, network: string) {
    const neighbours = perNetwork.get(network) ?? 0;
    // A broken frame closes the socket by itself; there is nobody to tell.
    socket.on('error', ignore);
    if (sockets.clients.size > maxSockets || neighbours >= maxSocketsPerNetwork) return socket.close(TRY_AGAIN_LATER);

    perNetwork.set(network, neighbours + 1);
    socket.on('message', refuseToRead);
    socket.on('pong', stillThere);
    socket.on('close', () => {
      const left = (perNetwork.get(network) ?? 1) - 1;
      if (left > 0) perNetwork.set(network, left);
      else perNetwork.delete(network);
      silent.delete(socket);
      changed();
    });
    socket.send(countMessage(sockets.clients.size), TEXT);
    changed();
  }

  function stillThere(this: WebSocket) {
    silent.delete(this);
  }

  /** Who has not answered the last beat is gone without a word. */
  const heartbeat = setInterval(() => {
    for (const client of sockets.clients) {
      if (silent.has(client)) {
        client.terminate();
        continue;
      }
      silent.add(client);
      client.ping();
    }
  }, HEARTBEAT_MS).unref();

  server.on('upgrade', (req, socket, head) => {
    const { origin } = req.headers;
    if (!origin || !isOurOrigin(origin, req) || req.url !== '/') {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(req, socket, head, (client) => welcome(client, networkOf(addressOf(req))));
  });

  return {
    close() {
      clearTimeout(timer);
      clearInterval(heartbeat);
      for (const client of sockets.clients) client.close(GOING_AWAY);
      sockets.close();
      // A phone that sleeps answers no goodbye, and must not hold up the stop.
      setTimeout(() => {
        for (const client of sockets.clients) client.terminate();
      }, GOODBYE_MS).unref();
    },
  };
}

const TEXT = { binary: false };

function countMessage(online: number): Buffer {
  return Buffer.from(JSON.stringify({ online }));
}

function refuseToRead(this: WebSocket) {
  this.close(AGAINST_THE_RULES);
}

function ignore() {
  return undefined;
}
