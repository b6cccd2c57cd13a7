import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { repeatedly } from '../../api/src/ops/progress.ts';
import { median } from './measure/median.ts';
import { forkServer, processorMs, residentKb, startSite, type MeasuredServer } from './measure/servers.ts';
import type { Row } from './measure/table.ts';

const CONNECTIONS = [1000, 10_000];
/** The bars are about so many connections. With fewer, a tick of the processor's clock is a large part of a broadcast. */
const BARS_AT = 10_000;
const BROADCASTS = 10;
const REPEATS = 3;
const AT_ONCE = 100;
const WITHOUT_LIMITS = { LIVE_MAX_SOCKETS: '50000', LIVE_MAX_SOCKETS_PER_NETWORK: '50000' };

interface Kind {
  start: () => Promise<MeasuredServer>;
  /** What a client asks for. */
  path?: string;
  /** What a client sends when it is connected. */
  greeting?: string;
  /** What ours may be of it, at most. */
  bars: Partial<Record<keyof Measured, number>>;
}

interface Measured {
  kbPerConnection: number;
  msPerBroadcast: number;
}

const SITE: Kind = { start: () => startSite(WITHOUT_LIMITS), bars: {} };
const BARE_WS: Kind = {
  start: () => forkServer(new URL('bare/ws.ts', import.meta.url)),
  bars: { kbPerConnection: 1.2, msPerBroadcast: 1.2 },
};

/**
 * Socket.IO. A client speaks its protocol: it connects to the namespace by `40`.
 * @param packages the folder in which it is installed
 */
function socketIo(packages: string): Kind {
  return {
    start: () => forkServer(new URL('bare/socket-io.ts', import.meta.url), [packages]),
    path: '/socket.io/?EIO=4&transport=websocket',
    greeting: '40',
    bars: { kbPerConnection: 0.55 },
  };
}

/**
 * Measures memory per idle connection and processor time per broadcast of the site, beside bare ws and Socket.IO in turns.
 * @param packages the folder in which Socket.IO is installed; without it only ws is measured
 */
export async function benchSockets(packages?: string): Promise<Row[]> {
  const others: Record<string, Kind> = { ws: BARE_WS, ...(packages && { 'Socket.IO': socketIo(packages) }) };
  const rows: Row[] = [];
  for (const connections of CONNECTIONS) {
    const site: Measured[] = [];
    const runs = Object.entries(others).map(([name, kind]) => ({ name, kind, measured: [] as Measured[] }));
    await repeatedly(`${connections} sockets`, REPEATS, async () => {
      site.push(await measure(SITE, connections));
      for (const { kind, measured } of runs) measured.push(await measure(kind, connections));
    });
    for (const { name, kind, measured } of runs)
      for (const measure of ['kbPerConnection', 'msPerBroadcast'] as const) {
        const ours = median(site.map((run) => run[measure]));
        const theirs = median(measured.map((run) => run[measure]));
        const bar = connections === BARS_AT ? (kind.bars[measure] ?? NaN) : NaN;
        const ratio = ours / theirs;
        const verdict = Number.isNaN(bar) ? '' : ratio > bar ? 'missed' : 'held';
        rows.push({ connections, measure, beside: name, site: ours, theirs, ratio, bar: bar || '', verdict });
      }
  }
  return rows;
}

async function measure(kind: Kind, connections: number): Promise<Measured> {
  const server = await kind.start();
  const open = (count: number) => openSockets(server.url, count, kind);
  // The first sockets load code and allocate buffers. That memory is not part of the memory per connection.
  const warm = await open(AT_ONCE);
  const [first] = warm;
  if (!first) throw new Error('No socket was opened');
  await wait(2500);
  const before = residentKb(server.pid);

  const sockets: WebSocket[] = [];
  while (sockets.length < connections) sockets.push(...(await open(AT_ONCE)));
  await wait(3000);
  const kbPerConnection = (residentKb(server.pid) - before) / connections;

  const idle = processorMs(server.pid);
  for (let broadcast = 0; broadcast < BROADCASTS; broadcast++) {
    // A new visitor changes the count, so the server sends it to all.
    const told = once(first, 'message');
    sockets.push(...(await open(1)));
    await told;
  }
  await wait(300);
  const msPerBroadcast = (processorMs(server.pid) - idle) / BROADCASTS;

  for (const socket of [...warm, ...sockets]) socket.terminate();
  await server.stop();
  return { kbPerConnection, msPerBroadcast };
}

async function openSockets(url: string, count: number, { path = '', greeting }: Kind): Promise<WebSocket[]> {
  const address = url.replace('http', 'ws') + path;
  const sockets = Array.from({ length: count }, () => new WebSocket(address, { origin: url }));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  if (greeting !== undefined) for (const socket of sockets) socket.send(greeting);
  return sockets;
}
