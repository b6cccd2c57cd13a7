import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { World } from '../world/world.ts';
import type { Scenario } from './scenario.ts';

/** How long to wait until the server has closed a connection. */
const TIMEOUT_MS = 5000;

/** The pause between two looks at the server's open files. */
const PAUSE_MS = 50;
/** Requests that one connection sends at once. */
const PIPELINED = 50;

const PING = Buffer.from([0x89, 0x80, 1, 2, 3, 4]);
const PONG = Buffer.from([0x8a, 0x80, 1, 2, 3, 4]);

/** Paths and the methods that they accept. */
const TAKES: Record<string, string[]> = {
  '/api/key': ['GET', 'HEAD'],
  '/api/keysystem/state': ['GET', 'HEAD'],
  '/api/captcha/challenge': ['GET', 'HEAD'],
  '/api/keysystemv2': ['GET', 'HEAD', 'POST'],
  '/api/key/verify': ['POST'],
  '/api/v2/verify-captcha': ['POST'],
  '/healthz': ['GET', 'HEAD'],
  '/plans': ['GET', 'HEAD'],
};
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/** Attempts to crash the server, to exhaust it, and to exceed limits. */
export const FLOODING: Scenario[] = [
  {
    name: 'breaks off an upgrade that is refused',
    most: 5,
    async play({ world, random, tries, expect }) {
      const refused: Upgrade[] = [
        { origin: 'https://evil.example' },
        { path: '/chat' },
        { protocol: 'h2c' },
        { key: 'x' },
      ];
      for (let times = 0; times < 20; times++) {
        await tries(async () => {
          const socket = await dial(world);
          socket.write(upgrade(world, random.pick(refused)));
          if (random.int(2)) await wait(random.int(5));
          random.pick([() => socket.resetAndDestroy(), () => socket.end(), () => socket.destroy()])();
        });
      }
      expect((await world.client.ask('/healthz')).status === 200, 'the server no longer answers');
      expect(world.server.isRunning(), 'the server is gone');
    },
  },
  {
    name: 'pings and never reads',
    most: 3,
    async play({ world, tries, expect }) {
      for (const frame of [PING, PONG]) {
        await tries(async () => {
          const socket = await dial(world);
          socket.write(upgrade(world, {}));
          await once(socket, 'data');
          socket.pause();
          const closed = new Promise<boolean>((resolve) => socket.on('close', () => resolve(true)));
          const flood = Buffer.concat(Array(10_000).fill(frame));
          const send = () => socket.write(flood, (error) => error ?? setImmediate(send));
          send();
          const isEnded = await Promise.race([closed, wait(TIMEOUT_MS, false)]);
          socket.destroy();
          expect(isEnded, 'a socket that is flooded and never read from stays open');
        });
      }
    },
  },
  {
    name: 'asks for a file many times at once and never reads',
    most: 3,
    async play({ world, tries, expect }) {
      const page = await world.client.ask('/key-system-1');
      // The shell's script, because it is large. A small file is read at once, so it would be closed in any case.
      const script = /<script defer[^>]* src="([^"]+)"/.exec(page.text)?.[1] ?? '';
      expect(script !== '', 'the page names no script of the shell');
      for (let times = 0; times < 5; times++) {
        await tries(async () => {
          const socket = await dial(world);
          socket.write(`GET ${script} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(PIPELINED));
          await once(socket, 'readable');
          socket.resetAndDestroy();
        });
      }
      const countLeft = () => world.server.countOpen(basename(script));
      for (const deadline = Date.now() + TIMEOUT_MS; countLeft() > 0 && Date.now() < deadline;) await wait(PAUSE_MS);
      expect(countLeft() === 0, `${script} stays open ${countLeft()} times for clients who are gone`);
    },
  },
  {
    name: 'asks for one device under the name of many',
    most: 5,
    async play({ player, random, tries, expect, post }) {
      const cheat = player();
      const body = { 'g-recaptcha-response': 'x', hwid: cheat.hwid, OS: 'android', advertiser: null };
      const statuses: number[] = [];
      for (let times = 0; times < 25; times++)
        statuses.push((await tries(() => post(cheat, `/api/v2/verify-captcha?hwid=${random.hex(20)}`, body))).status);
      expect(statuses.includes(429), `25 captchas of one device within a minute were answered ${statuses.join()}`);
    },
  },
  {
    name: 'asks by other methods',
    most: 3,
    async play({ player, tries, expect }) {
      const cheat = player();
      for (const [path, takes] of Object.entries(TAKES)) {
        for (const method of METHODS.filter((name) => !takes.includes(name))) {
          const { status, headers } = await tries(() => cheat.send(`${path}?${cheat.who()}`, { method }));
          expect(status === 405 && headers.allow !== undefined, `${method} ${path} was answered ${status}`);
        }
      }
    },
  },
];

/** The parts of an upgrade to a WebSocket that may be wrong. */
interface Upgrade {
  path?: string;
  protocol?: string;
  key?: string;
  origin?: string;
}

function upgrade(
  { client }: World,
  { path = '/', protocol = 'websocket', key = 'dGhlIHNhbXBsZSBub25jZQ==', origin = client.baseUrl }: Upgrade,
): string {
  const { host } = new URL(client.baseUrl);
  return [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    `Upgrade: ${protocol}`,
    `Origin: ${origin}`,
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
    '',
    '',
  ].join('\r\n');
}

async function dial({ client }: World): Promise<Socket> {
  const socket = connect({ port: Number(new URL(client.baseUrl).port), host: '127.0.0.1' });
  // The server is expected to break this connection.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
