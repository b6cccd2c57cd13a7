import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '../attack/client.ts';
import { createPlayer } from '../attack/player.ts';
import { createRandom } from '../attack/random.ts';
import { openWorld } from '../attack/world.ts';
import { withPostgres } from '../postgres.mjs';
import { median } from './median.ts';
import { addPastRuns } from './past-runs.ts';

const FEW = 1000;
const MANY = 1_000_000;
const REPEATS = 5;
const DEVICES = 150;
const AT_ONCE = 8;

/** Nothing here is about limits. */
const LIMITS = {
  startsPerHour: 1000,
  networkStartsPerHour: { soft: 1e9, hard: 1e9 },
  statesPerMinute: 1e9,
  returnsPerMinute: 1e9,
  keysPerMinute: 1e9,
  challengesPerMinute: 1e9,
  captchasPerMinute: 1e9,
  perAddress: { reads: 1e9, captchas: 1e9 },
};

/** The calls of a run with a thousand and with a million past ones in the tables, on each database, turn and turn about. */
export async function benchPastRuns() {
  return [...(await comparePastRuns()), ...(await withPostgres(comparePastRuns))];
}

async function comparePastRuns(postgres) {
  const few = await openSite(postgres, FEW);
  const many = await openSite(postgres, MANY);
  try {
    const turns = await inTurns({ few: () => measureCalls(few), many: () => measureCalls(many) });
    return Object.keys(turns.few[0]).map((call) => {
      const [before, after] = [turns.few, turns.many].map((measured) => median(measured.map((rates) => rates[call])));
      return {
        database: few.database.name,
        call,
        [`after ${FEW}`]: before,
        [`after ${MANY}`]: after,
        ratio: after / before,
      };
    });
  } finally {
    await few.close();
    await many.close();
  }
}

/**
 * A return from the advertiser beside the least that anybody could do instead: an Express route with one durable write.
 * The return asks the advertiser in another process and commits twice; Rinku's, whose proof is its address, asks nobody.
 */
export async function benchReturns() {
  const site = await openSite(undefined, 0);
  const bare = await startBare(site.folder);
  const ask = (url) => site.client.ask(url);
  try {
    const turns = await inTurns({
      bare: async () => rateOf(Array.from({ length: 4 * DEVICES }, (_, nth) => () => bare.ask(`/${nth}`))),
      linkvertise: async () => rateOf((await finishVisits(site, 'linkvertise')).map((back) => () => ask(back))),
      rinku: async () => rateOf((await finishVisits(site, 'rinku')).map((back) => () => ask(back))),
    });
    const [base, asking, silent] = [turns.bare, turns.linkvertise, turns.rinku].map((rates) => median(rates));
    return [
      { route: 'bare Express, one durable write', perSecond: base, ratio: 1 },
      { route: 'return, with the call to the advertiser', perSecond: asking, ratio: asking / base },
      { route: 'return, without that call', perSecond: silent, ratio: silent / base },
    ];
  } finally {
    await bare.stop();
    await site.close();
  }
}

/** A server whose database has seen so many runs. */
async function openSite(postgres, pastRuns) {
  const world = await openWorld({
    random: createRandom(pastRuns),
    postgresUrl: postgres?.url,
    limits: LIMITS,
    dwellMs: 0,
  });
  await world.server.stop();
  await addPastRuns(
    { databaseUrl: world.database.settings.DATABASE_URL, file: join(world.folder, 'data', 'app.sqlite') },
    pastRuns,
  );
  await world.server.start();
  return world;
}

/** Calls per second of each call that a run consists of. */
async function measureCalls(site) {
  const players = await newPlayers(site);
  const links = [];
  const start = await rateOf(players.map((player) => async () => links.push((await player.press()).link)));
  const backs = await Promise.all(links.map((link) => site.advertisers.finish(link)));
  const returned = await rateOf(backs.map((back) => () => site.client.ask(back)));
  const state = await rateOf(players.map((player) => () => player.state()));
  const key = await rateOf(players.map((player) => () => player.key()));
  return { start, return: returned, state, key };
}

/** Visits at an advertiser that are done, and only have to be returned from. */
async function finishVisits(site, advertiser) {
  const backs = [];
  const leave = async (player) => {
    const { link } = await player.press({ advertiser });
    backs.push(await site.advertisers.finish(link));
  };
  await atOnce((await newPlayers(site)).map((player) => () => leave(player)));
  return backs;
}

/** Devices that have passed the captcha. */
async function newPlayers(site) {
  const players = Array.from({ length: DEVICES }, (_, nth) =>
    createPlayer(site, { random: site.random, address: `10.0.${nth % 250}.1` }),
  );
  await atOnce(players.map((player) => () => player.passCaptcha()));
  return players;
}

/** Each once, then each again, so that all meet the same machine; the first round only warms up. */
async function inTurns(measures) {
  const turns = Object.fromEntries(Object.keys(measures).map((name) => [name, []]));
  for (let turn = 0; turn <= REPEATS; turn++) {
    for (const [name, measure] of Object.entries(measures)) {
      const measured = await measure();
      if (turn > 0) turns[name].push(measured);
    }
  }
  return turns;
}

async function rateOf(calls) {
  const startedAt = performance.now();
  await atOnce(calls);
  return calls.length / ((performance.now() - startedAt) / 1000);
}

async function atOnce(calls) {
  const queue = calls.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const call of queue) await call();
    }),
  );
}

async function startBare(folder) {
  const child = fork(fileURLToPath(new URL('bare-express.mjs', import.meta.url)), [join(folder, 'bare.sqlite')]);
  const [{ baseUrl }] = await once(child, 'message');
  const client = createClient(baseUrl);
  return {
    ask: client.ask,
    async stop() {
      client.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
