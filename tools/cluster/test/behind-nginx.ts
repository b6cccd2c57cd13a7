import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import type { WebSocketServer } from 'ws';
import { ensurePackages } from '../../machine/ensure-installed.ts';
import { freePort } from '../../machine/free-port.ts';
import { startNginx, type Nginx } from '../nginx.ts';

/** Has a server behind nginx while the tests of a file run. */
export function standBehindNginx(server: Server, sockets: WebSocketServer) {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  let nginx: Nginx;
  let port: number;

  beforeAll(async () => {
    await ensurePackages('nginx-light');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = await freePort();
    nginx = await startNginx(folder, port, [portOfServer()]);
  });

  afterAll(async () => {
    await nginx.stop();
    sockets.close();
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const portOfServer = () => (server.address() as AddressInfo).port;
  return {
    folder,
    portOfServer,
    port: () => port,
    pid: () => nginx.pid,

    send: async (path: string, headers: Record<string, string> = {}, { method = 'GET', at = port } = {}) => {
      const asking = request({ host: '127.0.0.1', port: at, method, path, headers }).end();
      const [answer] = (await once(asking, 'response')) as [IncomingMessage];
      return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
    },
  };
}
