import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { median } from './median.ts';
import { startSite, type BenchServer } from './servers.ts';
import type { Row } from './table.ts';

const CONNECTIONS = [1000, 5000];
const BROADCASTS = 10;
const REPEATS = 3;
const AT_ONCE = 100;

const MS_PER_TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Measures memory per idle connection and processor time per broadcast, of the site and of bare ws in turns. */
export async function benchSockets(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const connections of CONNECTIONS) {
    const runs: Record<'site' | 'bare', Measured[]> = { site: [], bare: [] };
    for (let turn = 0; turn < REPEATS; turn++) {
      runs.site.push(
        await measure(
          () => startSite({ LIVE_MAX_SOCKETS: '50000', LIVE_MAX_SOCKETS_PER_NETWORK: '50000' }),
          connections,
        ),
      );
      runs.bare.push(await measure(startBare, connections));
    }
    for (const measured of ['kbPerConnection', 'msPerBroadcast'] as const) {
      const site = median(runs.site.map((run) => run[measured]));
      const bare = median(runs.bare.map((run) => run[measured]));
      rows.push({ connections, measure: measured, site, bare, ratio: site / bare });
    }
  }
  return rows;
}

type SocketServer = BenchServer & { pid: number };

interface Measured {
  kbPerConnection: number;
  /** Processor time. */
  msPerBroadcast: number;
}

async function startBare(): Promise<SocketServer> {
  const child = fork(fileURLToPath(new URL('bare-ws.mjs', import.meta.url)));
  const [{ baseUrl }] = (await once(child, 'message')) as [{ baseUrl: string }];
  return {
    url: baseUrl,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function measure(start: () => Promise<SocketServer>, connections: number): Promise<Measured> {
  const server = await start();
  // The first sockets load code and allocate buffers. That memory is not part of the memory per connection.
  const warm = await open(server.url, AT_ONCE);
  const [first] = warm;
  if (!first) throw new Error('No socket was opened');
  await wait(2500);
  const before = residentKb(server.pid);

  const sockets: WebSocket[] = [];
  while (sockets.length < connections) sockets.push(...(await open(server.url, AT_ONCE)));
  await wait(3000);
  const kbPerConnection = (residentKb(server.pid) - before) / connections;

  const idle = processorMs(server.pid);
  for (let broadcast = 0; broadcast < BROADCASTS; broadcast++) {
    // A new visitor changes the count, so the server sends it to everybody.
    const told = once(first, 'message');
    sockets.push(...(await open(server.url, 1)));
    await told;
  }
  await wait(300);
  const msPerBroadcast = (processorMs(server.pid) - idle) / BROADCASTS;

  for (const socket of [...warm, ...sockets]) socket.terminate();
  await server.stop();
  return { kbPerConnection, msPerBroadcast };
}

async function open(url: string, count: number): Promise<WebSocket[]> {
  const sockets = Array.from({ length: count }, () => new WebSocket(url.replace('http', 'ws'), { origin: url }));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  return sockets;
}

function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

export function processorMs(pid: number): number {
  const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
