import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openCluster, untilReady, type Cluster } from '../cluster/open-cluster.ts';
import type { Answer } from './client.ts';
import { DEVICE_LIMITS, playDevices, type DeviceFindings } from './devices.ts';
import { createPlayer } from './player.ts';
import { createRandom } from './random.ts';
import type { Server } from './server.ts';
import { openWorld, type PlayedSite, type World } from './world.ts';

/** All players come from one address: nginx believes nobody who names another. */
const ONE_ADDRESS = {
  ...DEVICE_LIMITS,
  networkStartsPerHour: { soft: 1_000_000, hard: 1_000_000 },
  perAddress: { reads: 1_000_000, captchas: 1_000_000, payments: 1_000_000, readiness: 1_000_000 },
  unknownReturnsPerMinute: 20,
  keysPerMinute: 1_000_000,
  keyChecksPerMinute: 1_000_000,
};
/** More than both servers together let through. */
const UNKNOWN_RETURNS = 60;
const VISITORS = 6;
const CALM_MS = 1500;
/** How long visitors may be told to ask again after the operator's command. */
const RECOVERY_MS = 5000;

export interface ClusterReport {
  seed: number;
  rounds: number;
  devices: number;
  facts: number;
  requests: number;
  /** For each kind of event: how often it was played, and how many requests failed meanwhile. */
  events: Record<string, { played: number; failed: number }>;
  findings: DeviceFindings & { cluster: string[] };
}

interface Play {
  cluster: Cluster;
  world: World;
  expect: (isSo: boolean, what: string) => void;
}

interface Event {
  name: string;
  /** Whether no request may fail meanwhile. */
  isUnnoticed?: boolean;
  play: (site: Play) => Promise<void>;
}

const EVENTS: Event[] = [
  {
    name: 'the servers are restarted one after another',
    isUnnoticed: true,
    play: ({ cluster }) => cluster.restartServers(),
  },
  {
    name: 'a server is killed, and the other one goes on',
    async play({ cluster: { url, servers }, world, expect }) {
      const server = world.random.pick(servers);
      await server.kill();
      for (let nth = 0; nth < 20; nth++) {
        const { status } = await fetch(`${url}/key-system-1?hwid=device-${nth}&zone=zone`);
        expect(status === 200, `with one server left a page was answered ${status}`);
      }
      await server.start();
      await untilReady(server.url);
      await wait(CALM_MS);
    },
  },
  {
    name: 'one standby is stopped and comes back',
    isUnnoticed: true,
    async play({ cluster: { databases }, world }) {
      const standby = world.random.pick(databases.standbys());
      await standby.kill();
      await wait(CALM_MS);
      await standby.start();
      await databases.untilFollowed(2);
    },
  },
  {
    name: 'the primary is killed, and the operator promotes a standby',
    async play({ cluster: { databases, servers }, expect }) {
      const former = databases.primary();
      await former.kill();
      await wait(CALM_MS);
      await databases.promote();
      const promotedAt = Date.now();
      for (const { url } of servers) await untilReady(url);
      expect(
        Date.now() - promotedAt < RECOVERY_MS,
        `the servers needed ${Date.now() - promotedAt} ms to find the primary`,
      );
      await databases.rebuild(former);
      await databases.untilFollowed(2);
    },
  },
  {
    name: 'no standby is left, so writes are refused until the operator says that none is needed',
    async play({ cluster: { url, databases }, world, expect }) {
      const primary = databases.primary();
      for (const standby of databases.standbys()) await standby.kill();
      const read = await fetch(`${url}/api/keysystem/state?hwid=device-${world.random.hex(8)}&zone=zone`);
      expect(read.status === 200, `without standbys a read was answered ${read.status}`);
      const { status, headers } = await passCaptcha(world);
      expect(status === 503 && headers['retry-after'] !== undefined, `without standbys a write was answered ${status}`);

      await primary.query("alter system set synchronous_standby_names = ''");
      await primary.query('select pg_reload_conf()');
      await wait(CALM_MS);
      const written = await passCaptcha(world);
      expect(written.status === 200, `after the operator’s command a write was answered ${written.status}`);

      for (const standby of databases.standbys()) await standby.start();
      await primary.query('alter system reset synchronous_standby_names');
      await primary.query('select pg_reload_conf()');
      await databases.untilFollowed(2);
    },
  },
];

/** Hands in a captcha's solution as a new device, which a server writes down. */
async function passCaptcha(world: World): Promise<Answer> {
  const player = createPlayer(world, { random: world.random.fork(`writer/${world.requests}`), address: '127.0.0.1' });
  return player.handIn(await player.solveCaptcha());
}

/**
 * Plays honest devices and visitors on a whole cluster while each event happens so many times, in a random order. What was
 * acknowledged has to be there in the end, and no request may fail during the events that nobody is to notice.
 */
export async function playCluster({ seed, rounds }: { seed: number; rounds: number }): Promise<ClusterReport> {
  const random = createRandom(seed);
  let opened: Cluster | undefined;
  const world = await openWorld({
    random,
    postgresUrl: undefined,
    limits: ONE_ADDRESS,
    openSite: async (options) => {
      opened = await openCluster(options);
      return asSite(opened);
    },
  });
  const cluster = opened as Cluster | undefined;
  if (!cluster) throw new Error('The cluster was not opened');
  const findings = Object.assign(world.findings, { lost: [] as string[], cluster: [] as string[] });
  const failed: string[] = [];
  const events: ClusterReport['events'] = {};
  let isOver = false;

  const visit = async (nth: number) => {
    for (; !isOver; nth += 1) {
      const problem = await visitOnce(cluster.url, nth);
      if (problem !== undefined) failed.push(problem);
    }
  };

  try {
    // What the visitors and devices meet is counted for each event.
    world.toleratesErrors = true;
    await checkProxy(cluster, findings.cluster);
    const devices = playDevices(world, { random, findings, onOutage: (error) => failed.push(String(error)) });
    const visiting = Array.from({ length: VISITORS }, (_, nth) => visit(nth));

    for (const event of random.shuffle(Array.from({ length: rounds }, () => EVENTS).flat())) {
      const expect = (isSo: boolean, what: string) => void (isSo || findings.cluster.push(`${event.name}: ${what}`));
      failed.length = 0;
      await event.play({ cluster, world, expect });
      const count = (events[event.name] ??= { played: 0, failed: 0 });
      count.played += 1;
      count.failed += failed.length;
      if (event.isUnnoticed) for (const what of failed) expect(false, what);
      await wait(CALM_MS);
      await devices.compare();
      failed.length = 0;
      await wait(CALM_MS);
      if (failed.length > 0) expect(false, `afterwards ${failed.length} requests failed: ${failed[0]}`);
    }
    isOver = true;
    await Promise.all(visiting);
    await devices.finish();
    if (/hwid|return\/|client: |"GET |"POST /.test(cluster.nginx.logged()))
      findings.secrets.push('nginx has written an address or a network into its logs');
    return {
      seed,
      rounds,
      devices: devices.devices.length,
      facts: devices.factCount(),
      requests: cluster.nginx.lines().length,
      events,
      findings,
    };
  } finally {
    isOver = true;
    await world.close();
  }
}

/** The cluster, as the world of an attack wants its one server and its database. */
function asSite(cluster: Cluster): PlayedSite {
  const [first] = cluster.servers;
  const rows = <Row>(sql: string) => cluster.databases.primary().query<Row>(sql, { database: 'site' });
  return {
    server: { ...(first as Server), start: () => Promise.resolve(cluster.url), stop: cluster.close },
    database: {
      name: 'A cluster',
      settings: {},
      rows,
      write: async (sql) => void (await rows(sql)),
      drop: () => Promise.resolve(),
    },
  };
}

/** Loads a page, reads a state, or checks a key. Returns what went wrong. */
async function visitOnce(url: string, nth: number): Promise<string | undefined> {
  const device = `hwid=visitor-${nth}&zone=zone`;
  const body = JSON.stringify({ key: 'no key', hwid: `visitor-${nth}`, app: 'main' });
  const asks: [path: string, init: RequestInit][] = [
    [`/key-system-1?${device}`, {}],
    [`/api/keysystem/state?${device}`, {}],
    ['/api/key/verify', { method: 'POST', headers: { 'content-type': 'application/json' }, body }],
  ];
  const [path, init] = asks[nth % asks.length] ?? ['/', {}];
  return fetch(url + path, init).then(
    async (answer) => {
      await answer.text();
      return answer.status >= 500 ? `${init.method ?? 'GET'} ${path} was answered ${answer.status}` : undefined;
    },
    (error: unknown) => `${init.method ?? 'GET'} ${path}: ${String(error)}`,
  );
}

/** Checks what the proxy is there for: sockets, and that nobody chooses the network that a limit counts. */
async function checkProxy({ url }: Cluster, findings: string[]): Promise<void> {
  const socket = new WebSocket(url.replace('http:', 'ws:'), { origin: url });
  const [message] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  if (!/"online":\d+/.test(message.toString())) findings.push(`A socket was told ${message.toString()}`);

  const answers = new Set<string>();
  for (let nth = 0; nth < UNKNOWN_RETURNS; nth++) {
    const ticket = `unknown-ticket-that-nobody-has-ever-given-${nth % 10}`.slice(0, 43);
    const answer = await fetch(`${url}/api/keysystem/return/${ticket}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-for': `203.0.113.${nth}` },
    });
    answers.add(`${answer.status} ${answer.headers.get('location')}`);
  }
  if (answers.size < 2)
    findings.push(`A forged X-Forwarded-For counts: ${UNKNOWN_RETURNS} times ${[...answers].join()}`);
}
