import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** The smallest ws server that sends a count to all clients. The bench compares the live hub with it. */
const server = createServer();
const sockets = new WebSocketServer({ server });
let timer: NodeJS.Timeout | undefined;

sockets.on('connection', (socket) => {
  socket.send(JSON.stringify({ online: sockets.clients.size }));
  socket.on('close', changed);
  changed();
});

function changed() {
  timer ??= setTimeout(() => {
    timer = undefined;
    const message = JSON.stringify({ online: sockets.clients.size });
    for (const client of sockets.clients) if (client.readyState === WebSocket.OPEN) client.send(message);
  }, 1000);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ baseUrl: `http://localhost:${port}` });
});
process.on('SIGTERM', () => process.exit(0));
