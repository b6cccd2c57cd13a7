import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import { createServer, type Server, type Settings } from '../../site/server.ts';
import { startFakeAdvertisers } from '../fakes/advertisers.ts';
import { startFakeStripe } from '../fakes/stripe.ts';
import { noFindings } from '../report.ts';
import { createClient } from './client.ts';
import { openDatabase, type Database } from './database.ts';
import type { App } from './product.ts';
import type { Random } from './random.ts';

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
  postgresUrl?: string | undefined;
  /** Numbers of the key system that differ from the defaults. */
  limits?: Record<string, unknown>;
  /** Environment variables of the server that differ from those of an attack. */
  settings?: Settings | undefined;
  dwellMs?: number;
  /** How far the server's clock is ahead at first, in milliseconds. */
  aheadMs?: number;
  /** A file that the server loads before its own code. */
  preload?: string;
  /** Starts a build other than that of this folder. */
  createServer?: typeof createServer;
  /** Opens the site that is played with; by default one server with the database of `postgresUrl`. */
  openSite?: (options: { settings: Settings; limits: Record<string, unknown> }) => Promise<PlayedSite>;
}

/** What is played with. `start` gives the address for visitors. */
export interface PlayedSite {
  server: Server;
  database: Database;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Starts a server with its own database, and fake advertisers outside of it. The world records what really happened:
 * which captchas were solved for which device, which device received which ticket, and all findings.
 */
export async function openWorld({
  random,
  postgresUrl,
  limits = {},
  settings: given = {},
  dwellMs = DWELL_MS,
  aheadMs = 0,
  preload,
  createServer: create = createServer,
  openSite,
}: WorldOptions) {
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
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body,
      }),
  });
  const advertisersFile = join(folder, 'advertisers.json');
  writeFileSync(advertisersFile, JSON.stringify(advertisers.settings));
  const settings = {
    ...stripe.settings,
    ADVERTISERS_FILE: advertisersFile,
    TEST_MIN_DWELL_MS: String(dwellMs),
    TEST_CAPTCHA_COST: '1',
    ...given,
  };
  async function openServer(): Promise<PlayedSite> {
    const database = await openDatabase(folder, postgresUrl);
    const own = { ...database.settings, ...settings };
    return { database, server: create({ folder, limits, preload, settings: own }) };
  }
  const { server, database } = await (openSite?.({ limits, settings }) ?? openServer());
  /** Starts the server, also again after it was killed. */
  const start = () => server.start({ TEST_CLOCK_OFFSET_MS: String(clockOffsetMs) });
  const baseUrl = await start();
  const jwks = (await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
  const client = createClient(baseUrl, (method, target, { status, text, headers }) => {
    world.requests += 1;
    // A step start or a captcha that an overloaded server put off, which the page repeats.
    const isPutOff =
      status === 503 &&
      ((headers.refresh !== undefined && target.includes('/api/keysystemv2?')) ||
        (headers['retry-after'] !== undefined && target.startsWith('/api/captcha/challenge?')));
    if (status >= 500 && !isPutOff && !world.toleratesErrors)
      findings.errors.push(`${status} to ${method} ${target.slice(0, 200)}: ${text.slice(0, 200)}`);
  });

  const world = {
    random,
    folder,
    database,
    advertisers,
    stripe,
    server,
    client,
    start,
    now,
    dwellMs,
    findings,
    jwks,
    /** The device of each solved captcha, by the hash that the server stores for it. */
    solved: new Map<string, string>(),
    /** Tickets by their hash. */
    tickets: new Map<string, Ticket>(),
    /** The devices that orders were begun for, by the order's id. */
    ordered: new Map<string, string>(),
    /** The devices that a code was redeemed for, by the code. */
    redeemed: new Map<string, string>(),
    /** Codes that nobody has redeemed. */
    codes: [] as string[],
    /** The number of answers so far. */
    requests: 0,
    /** Whether errors of the server are allowed now, because something was broken on purpose. */
    toleratesErrors: false,

    takeCode(): string {
      const code = world.codes.pop();
      if (code === undefined) throw new Error('There are no more codes');
      return code;
    },

    /** Restarts the server with a clock that is this far ahead. */
    async moveClock(ms: number): Promise<void> {
      clockOffsetMs = ms;
      await server.stop();
      await start();
    },

    async close(): Promise<void> {
      client.close();
      await server.stop();
      await advertisers.stop();
      await stripe.stop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
  return world;
}
