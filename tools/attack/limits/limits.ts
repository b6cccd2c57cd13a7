import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withProgress } from '../../../api/src/ops/progress.ts';
import { createRandom, type Random } from '../world/random.ts';

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const MEGABYTE = 2 ** 20;

const CONNECTIONS = 8;
/** Requests that one connection sends at once, without waiting for each answer. */
const PIPELINED = 50;
/** Requests before the first measurement of memory, so that code is compiled and caches are filled. */
const WARM_UP_REQUESTS = 5_000;

/** By so much memory may grow on the first day before a second one is played. */
const SUSPECT_MEGABYTES = 30;

const STATUS_LINE = 'HTTP/1.1 200 '.length;

/** The length of the long device ids in requests. */
const LONG = 10_000;

export interface LimitReport {
  seed: number;
  /** Answers by their status. */
  statuses: ReadonlyMap<string, number>;
  requests: number;
  /** By how much the server's memory grew. */
  megabytes: number;
}

/**
 * Plays a day of one client at one network address. It invents new tickets, devices and mailboxes for every request.
 * The server's clock moves on in steps of a minute, so that the windows of all limits begin and end as on a real day.
 */
export async function playLimits({ seed, requests }: { seed: number; requests: number }): Promise<LimitReport> {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  const random = createRandom(seed).fork('limits');
  const server = fork('dist/api/main.js', {
    execArgv: ['--import', './tools/attack/limits/clock-and-memory.ts'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'development', HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, TRUST_PROXY: '0' },
  });

  try {
    const { baseUrl } = await answerOf<{ baseUrl: string }>(server);
    const { port } = new URL(baseUrl);
    const statuses = new Map<string, number>();
    /** Sends at least `count` requests, over several connections at once. */
    const play = async (count: number, onProgress?: (part: number) => void) => {
      for (let done = 0; done < count; done += CONNECTIONS * PIPELINED) {
        onProgress?.(done / count);
        const answers = await Promise.all(
          Array.from({ length: CONNECTIONS }, () =>
            ask(
              port,
              Array.from({ length: PIPELINED }, () => makeRequest(random)),
            ),
          ),
        );
        for (const status of answers.flat()) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };

    // Pages that a busy machine renders late take memory once, so the day counts only after they are there.
    await rendersAll(baseUrl);
    await play(WARM_UP_REQUESTS);
    const before = await weigh(server);
    let part = 0;
    let daysBefore = 0;
    const playDay = () =>
      withProgress(
        'A day of limits',
        () =>
          play(requests, (now) => {
            part = now;
            server.send({ aheadMs: Math.floor((daysBefore + part) * DAY_MINUTES) * MINUTE_MS });
          }),
        () => `${Math.round(part * 100)} %`,
      );
    await playDay();
    const after = await weigh(server);
    daysBefore = 1;
    // What is taken once is no leak: what leaks grows by as much on the second day.
    const isSuspect = after - before > SUSPECT_MEGABYTES;
    if (isSuspect) await playDay();

    return {
      seed,
      statuses,
      requests: [...statuses.values()].reduce((sum, count) => sum + count, 0),
      megabytes: isSuspect ? (await weigh(server)) - after : after - before,
    };
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true });
  }
}

/** Waits until the server sends its pages as they were rendered ahead of time. */
async function rendersAll(baseUrl: string): Promise<void> {
  for (const path of ['/v5', '/key-system-1', '/rosaverx', '/encrypter'])
    for (let tries = 0; tries < 120; tries++) {
      if ((await (await fetch(baseUrl + path)).text()).includes('<h1')) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
}

async function weigh(server: ChildProcess): Promise<number> {
  server.send({ weigh: true });
  const { bytes } = await answerOf<{ bytes: number }>(server);
  return bytes / MEGABYTE;
}

/** The next message of the server process. The caller has to know its form. */
async function answerOf<Message>(server: ChildProcess): Promise<Message> {
  const gone = once(server, 'exit').then(() => {
    throw new Error('The server ended under its limits');
  });
  const told = once(server, 'message').then(([message]) => message as Message);
  return Promise.race([told, gone]);
}

function makeRequest(random: Random): string {
  const device = random.int(50) === 0 ? 'x'.repeat(LONG) : random.base64url(22);
  switch (random.int(10)) {
    case 0:
      return get(`/api/key?hwid=${device}`);
    case 1:
      return get(`/api/keysystem/state?hwid=${device}`);
    case 2:
      return post('/api/key/verify', { key: 'x', hwid: device });
    case 3:
      return post('/api/requestresetdevices', { email: `${device}@mail.example` });
    default:
      return get(`/api/keysystem/return/${random.base64url(43)}`);
  }
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

function post(path: string, body: unknown): string {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}

/**
 * Sends many requests at once over a connection of their own, and reads only the status of each answer. A connection
 * that waited for its next requests could meet the server's timeout for idle ones.
 */
async function ask(port: string, requests: readonly string[]): Promise<string[]> {
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  const statuses: string[] = [];
  let rest = '';
  socket.write(requests.join(''));
  while (statuses.length < requests.length) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    const text = rest + String(chunk);
    const lines = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)];
    statuses.push(...lines.map(([, status = '']) => status));
    // The next status line may have been cut in two.
    const last = lines.at(-1);
    rest = text.slice(Math.max(last ? last.index + last[0].length : 0, text.length - STATUS_LINE));
  }
  socket.destroy();
  return statuses;
}
