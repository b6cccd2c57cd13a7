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

/** What a person needs at the very least at any advertiser here: short, yet longer than an answer takes. */
const DWELL_MS = 400;

/** What was found to be wrong, in sentences. */
export interface Findings {
  /** Keys that nobody earned, or forged ones that were taken for real. */
  keys: string[];
  /** Steps credited without an advertiser's proof. */
  steps: string[];
  /** Honest players who did not get where they belong. */
  refused: string[];
  /** Answers that say the server broke. */
  errors: string[];
  /** Anything else that a rule forbids. */
  rules: string[];
  /** Attacks that could not be played, so that nothing can be said of them. */
  unplayed: string[];
}

export type Finding = keyof Findings;

/** A ticket that was handed out: to whom, and when it was asked for, in milliseconds. */
export interface Ticket {
  hwid: string;
  app: App;
  askedAt: number;
}

interface WorldOptions {
  random: Random;
  /** Where the tables are, instead of a file. */
  postgresUrl: string | undefined;
  /** Numbers of the key system that differ from the usual ones. */
  limits: Record<string, unknown>;
  dwellMs?: number;
  /** The folder of the sources whose build is played against; this one, if it is not said. */
  root?: string | undefined;
}

export interface World {
  random: Random;
  folder: string;
  database: Database;
  advertisers: FakeAdvertisers;
  server: Server;
  client: Client;
  /** The keys by which the server signs. */
  jwks: JSONWebKeySet;
  /** How long a person stays at an advertiser at the very least, in milliseconds. */
  dwellMs: number;
  now: () => number;
  /** Solved captchas by what the server keeps of them: → hwid. */
  solved: Map<string, string>;
  /** Tickets by their hash. */
  tickets: Map<string, Ticket>;
  /** How many answers came. */
  requests: number;
  /** Whether the server may fail at the moment, since something beneath it was broken on purpose. */
  toleratesErrors: boolean;
  findings: Findings;
  /** Starts the server again with its clock this far ahead. */
  moveClock: (ms: number) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * A server with its database, advertisers outside of it, and the record of what really happened:
 * which captchas were solved for whom, which tickets were given to whom, what is found to be wrong.
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
