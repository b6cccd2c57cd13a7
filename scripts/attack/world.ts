import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import type { App } from './apps.ts';
import { createClient, type Client } from './client.ts';
import { openDatabase, type Database } from './database.ts';
import { startFakeAdvertisers, type FakeAdvertisers } from './fake-advertisers.ts';
import type { Random } from './random.ts';
import { createServer, type Server } from './server.ts';

/** The shortest valid visit to a fake advertiser. It is short, but longer than an answer of the server takes. */
const DWELL_MS = 400;

/** What was found to be wrong, one sentence each. */
export interface Findings {
  /** Keys that nobody earned, and forged keys that were accepted. */
  keys: string[];
  /** Steps credited without an advertiser's proof. */
  steps: string[];
  /** Honest players who were refused. */
  refused: string[];
  /** Answers with a status of 500 or higher. */
  errors: string[];
  /** Other broken rules. */
  rules: string[];
  /** Scenarios that could not be played, so that they have no result. */
  unplayed: string[];
}

export type Finding = keyof Findings;

/** A ticket that a player received. `askedAt` is the time of the press, in epoch milliseconds. */
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
  dwellMs?: number;
  /** The folder of the sources whose build is started; by default this folder. */
  root?: string | undefined;
}

export interface World {
  random: Random;
  folder: string;
  database: Database;
  advertisers: FakeAdvertisers;
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
  /** The number of answers so far. */
  requests: number;
  /** Whether errors of the server are allowed now, because something was broken on purpose. */
  toleratesErrors: boolean;
  findings: Findings;
  /** Restarts the server with a clock that is this far ahead. */
  moveClock: (ms: number) => Promise<void>;
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
  dwellMs = DWELL_MS,
  root,
}: WorldOptions): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const database = await openDatabase({ folder, postgresUrl });
  let clockOffsetMs = 0;
  const now = () => Date.now() + clockOffsetMs;
  const findings: Findings = { keys: [], steps: [], refused: [], errors: [], rules: [], unplayed: [] };

  const advertisers = await startFakeAdvertisers({ now, callServer: (path) => client.ask(path) });
  const advertisersFile = join(folder, 'advertisers.json');
  writeFileSync(advertisersFile, JSON.stringify(advertisers.settings));
  const server = createServer({
    root,
    folder,
    limits,
    settings: {
      ...database.settings,
      ADVERTISERS_FILE: advertisersFile,
      TEST_MIN_DWELL_MS: String(dwellMs),
      TEST_CAPTCHA_COST: '1',
    },
  });
  const client = createClient(await server.start(), ({ status, method, target, text }) => {
    world.requests += 1;
    if (status >= 500 && !world.toleratesErrors)
      findings.errors.push(`${status} to ${method} ${target.slice(0, 200)}: ${text.slice(0, 200)}`);
  });
  const world: World = {
    random,
    folder,
    database,
    advertisers,
    server,
    client,
    jwks: { keys: [] },
    dwellMs,
    now,
    solved: new Map(),
    tickets: new Map(),
    requests: 0,
    toleratesErrors: false,
    findings,

    async moveClock(ms) {
      clockOffsetMs = ms;
      await server.stop();
      await server.start({ TEST_CLOCK_OFFSET_MS: String(ms) });
    },

    async close() {
      client.close();
      await server.stop();
      await advertisers.stop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
  world.jwks = JSON.parse((await client.ask('/.well-known/jwks.json')).text) as JSONWebKeySet;
  return world;
}
