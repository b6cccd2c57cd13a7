import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * @typedef {import('node:events').EventEmitter} EventEmitter
 * @typedef {EventEmitter & { engine: { clientsCount: number } }} Sockets
 */

/**
 * The smallest Socket.IO server that sends a count to all clients. The bench compares the live hub with it.
 * @type {{ Server: new (server: import('node:http').Server, options: object) => Sockets }}
 */
const { Server } = createRequire(join(process.argv[2] ?? '', 'package.json'))('socket.io');
const server = createServer();
const io = new Server(server, { transports: ['websocket'], serveClient: false });
/** @type {NodeJS.Timeout | undefined} */
let timer;

io.on('connection', (/** @type {EventEmitter} */ socket) => {
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
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send?.({ baseUrl: `http://localhost:${port}` });
});
process.on('SIGTERM', () => process.exit(0));
