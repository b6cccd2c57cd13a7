import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import type { App } from './product.ts';
import { createClient, type Client } from './client.ts';
import { openDatabase, type Database } from './database.ts';
import { startFakeAdvertisers, type FakeAdvertisers } from '../fakes/advertisers.ts';
import { startFakeStripe, type FakeStripe } from '../fakes/stripe.ts';
import { noFindings, type Findings } from '../report.ts';
import type { Random } from './random.ts';
import { createServer, type Server, type Settings } from '../../site/server.ts';

/** The shortest valid visit to a fake advertiser. It is short, but longer than an answer of the server takes. */
const DWELL_MS = 400;

/** A ticket that a player received. `askedAt` is the time of the step start, in epoch milliseconds. */
export interface Ticket {
  hwid: string;
  app: App;
  askedAt: number;
}

interface WorldOptions {
  random: Random;
  /** The PostgreSQL server to use; undefined for SQLite. */
  postgresUrl: string | undefined;
  /** Numbers of the key system that differ from the defaults. */
  limits: Record<string, unknown>;
  /** Environment variables of the server that differ from those of an attack. */
  settings?: Settings | undefined;
  dwellMs?: number;
  /** How far the server's clock is ahead at first, in milliseconds. */
  aheadMs?: number;
  /** A file that the server loads before its own code. */
  preload?: string;
  /** The folder of the sources whose build is started; by default this folder. */
  root?: string | undefined;
  /** The program that runs it; by default the Node of this process. */
  node?: string | undefined;
  /** Opens the site that is played with; by default one server with the database of `postgresUrl`. */
  openSite?: (options: SiteOptions) => Promise<PlayedSite>;
}

/** What a site is started with: its folder, the environment variables of its servers, and its limits. */
export interface SiteOptions {
  folder: string;
  settings: Settings;
  limits: Record<string, unknown>;
}

/** What is played with. `start` gives the address for visitors. */
export interface PlayedSite {
  server: Server;
  database: Database;
}

export interface World {
  random: Random;
  folder: string;
  database: Database;
  advertisers: FakeAdvertisers;
  stripe: FakeStripe;
  server: Server;
  client: Client;
  /** The public keys of the server. */
  jwks: JSONWebKeySet;
  /** The shortest valid visit to an advertiser, in milliseconds. */
  dwellMs: number;
  now: () => number;
  /** The device of each solved captcha, by the hash that the server stores for it. */
  solved: Map<string, string>;
  /** Tickets by their hash. */
  tickets: Map<string, Ticket>;
  /** The devices that orders were begun for, by the order's id. */
  ordered: Map<string, string>;
  /** The devices that a code was redeemed for, by the code. */
  redeemed: Map<string, string>;
  /** Gives an unused code. Throws when there are none left. */
  takeCode: () => string;
  codes: string[];
  /** The number of answers so far. */
  requests: number;
  /** Whether errors of the server are allowed now, because something was broken on purpose. */
  toleratesErrors: boolean;
  findings: Findings;
  /** Restarts the server with a clock that is this far ahead. */
  moveClock: (ms: number) => Promise<void>;
  /** Starts the server again after it was killed. */
  revive: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Starts a server with its own database, and fake advertisers outside of it. The world records what really happened:
 * which captchas were solved for which device, which device received which ticket, and all findings.
 */
export async function openWorld({
  random,
  postgresUrl,
  limits,
  settings: given = {},
  dwellMs = DWELL_MS,
  aheadMs = 0,
  preload,
  root,
  node,
  openSite = async ({ folder, settings, limits }) => {
    const database = await openDatabase({ folder, postgresUrl });
    const own = { ...database.settings, ...settings };
    return { database, server: createServer({ root, node, folder, limits, preload, settings: own }) };
  },
}: WorldOptions): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  let clockOffsetMs = aheadMs;
  const now = () => Date.now() + clockOffsetMs;
  const findings = noFindings();

  const advertisers = await startFakeAdvertisers({ now, callServer: (path) => client.ask(path) });
  const stripe = await startFakeStripe({
    now,
    callServer: (body, signature) =>
      client.ask('/api/payment-webhook', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(signature !== undefined && { 'stripe-signature': signature }),
        },
        body,
      }),
  });
  const advertisersFile = join(folder, 'advertisers.json');
  writeFileSync(advertisersFile, JSON.stringify(advertisers.settings));
  const { server, database } = await openSite({
    folder,
    limits,
    settings: {
      ...stripe.settings,
      ADVERTISERS_FILE: advertisersFile,
      TEST_MIN_DWELL_MS: String(dwellMs),
      TEST_CAPTCHA_COST: '1',
      ...given,
    },
  });
  const clock = () => ({ TEST_CLOCK_OFFSET_MS: String(clockOffsetMs) });
  const client = createClient(await server.start(clock()), ({ status, method, target, text, headers }) => {
    world.requests += 1;
    // A step start or a captcha that an overloaded server put off, which the page repeats.
    const isPutOff =
      status === 503 &&
      ((headers.refresh !== undefined && target.includes('/api/keysystemv2?')) ||
        (headers['retry-after'] !== undefined && target.startsWith('/api/captcha/challenge?')));
    if (status >= 500 && !isPutOff && !world.toleratesErrors)
      findings.errors.push(`${status} to ${method} ${target.slice(0, 200)}: ${text.slice(0, 200)}`);
  });
  const world: World = {
    random,
    folder,
    database,
    advertisers,
    stripe,
    server,
    client,
    jwks: { keys: [] },
    dwellMs,
    now,
    solved: new Map(),
    tickets: new Map(),
    ordered: new Map(),
    redeemed: new Map(),
    codes: [],
    requests: 0,
    toleratesErrors: false,
    findings,

    takeCode() {
      const code = world.codes.pop();
      if (code === undefined) throw new Error('There are no more codes');
      return code;
    },

    async moveClock(ms) {
      clockOffsetMs = ms;
      await server.stop();
      await world.revive();
    },

    revive: async () => void (await server.start(clock())),

    async close() {
      client.close();
      await server.stop();
      await advertisers.stop();
      await stripe.stop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
  world.jwks = JSON.parse((await client.ask('/.well-known/jwks.json')).text) as JSONWebKeySet;
  return world;
}
