import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAdvertisers } from './advertisers.mjs';
import { createClient } from './client.mjs';
import { openDatabase } from './database.mjs';
import { createServer } from './server.mjs';

/** What a person needs at the very least at any advertiser here: short, yet longer than an answer takes. */
const DWELL_MS = 400;

/**
 * A server with its database, advertisers outside of it, and the record of what really happened:
 * which captchas were solved for whom, which tickets were given to whom, what is found to be wrong.
 */
export async function openWorld({ random, postgresUrl, limits, dwellMs = DWELL_MS }) {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const database = await openDatabase({ folder, postgresUrl });
  let clockOffsetMs = 0;

  const world = {
    random,
    folder,
    database,
    dwellMs,
    now: () => Date.now() + clockOffsetMs,
    /** Solved captchas by what the server keeps of them: → hwid. */
    solved: new Map(),
    /** Tickets that were handed out, by their hash: → { hwid, app, askedAt }. */
    tickets: new Map(),
    requests: 0,
    /** Whether the server may fail at the moment, since something beneath it was broken on purpose. */
    toleratesErrors: false,
    findings: {
      /** Keys that nobody earned, or forged ones that were taken for real. */
      keys: [],
      /** Steps credited without an advertiser's proof. */
      steps: [],
      /** Honest players who did not get where they belong. */
      refused: [],
      /** Answers that say the server broke. */
      errors: [],
      /** Anything else that a rule forbids. */
      rules: [],
      /** Attacks that could not be played, so that nothing can be said of them. */
      unplayed: [],
    },

    /** Starts the server again with its clock this far ahead. */
    async moveClock(ms) {
      clockOffsetMs = ms;
      await world.server.stop();
      await world.server.start({ TEST_CLOCK_OFFSET_MS: String(ms) });
    },

    async close() {
      world.client.close();
      await world.server.stop();
      await world.advertisers.stop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };

  world.advertisers = await startAdvertisers({ now: world.now, callServer: (path) => world.client.ask(path) });
  const advertisersFile = join(folder, 'advertisers.json');
  writeFileSync(advertisersFile, JSON.stringify(world.advertisers.settings));
  world.server = createServer({
    folder,
    limits,
    settings: {
      ...database.settings,
      ADVERTISERS_FILE: advertisersFile,
      TEST_MIN_DWELL_MS: String(dwellMs),
      TEST_CAPTCHA_COST: '1',
    },
  });
  world.client = createClient(await world.server.start(), (answer) => {
    world.requests += 1;
    if (answer.status >= 500 && !world.toleratesErrors)
      world.findings.errors.push(
        `${answer.status} to ${answer.method} ${answer.target.slice(0, 200)}: ${answer.text.slice(0, 200)}`,
      );
  });
  return world;
}
