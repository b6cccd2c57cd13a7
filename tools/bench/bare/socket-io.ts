import type { EventEmitter } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

type Sockets = EventEmitter & { engine: { clientsCount: number } };

/** The smallest Socket.IO server that sends a count to all clients. The bench compares the live hub with it. */
const { Server } = createRequire(join(process.argv[2] ?? '', 'package.json'))('socket.io') as {
  Server: new (server: HttpServer, options: object) => Sockets;
};
const server = createServer();
const io = new Server(server, { transports: ['websocket'], serveClient: false });
let timer: NodeJS.Timeout | undefined;

io.on('connection', (socket: EventEmitter) => {
  socket.emit('online', io.engine.clientsCount);
  socket.on('disconnect', changed);
  changed();
});

function changed() {
  timer ??= setTimeout(() => {
    timer = undefined;
    io.emit('online', io.engine.clientsCount);
  }, 1000);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ baseUrl: `http://localhost:${port}` });
});
process.on('SIGTERM', () => process.exit(0));
