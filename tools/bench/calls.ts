import { finishRun } from '../attack/players/finish-run.ts';
import { createPlayer, type Player } from '../attack/players/player.ts';
import { createRandom } from '../attack/world/random.ts';
import { openWorld, type World } from '../attack/world/world.ts';
import type { createServer, Settings } from '../site/server.ts';

const AT_ONCE = 8;

/** Limits that the bench never reaches. */
const LIMITS = {
  startsPerHour: 1000,
  networkStartsPerHour: { soft: 1e6, hard: 1e6 },
  statesPerMinute: 1e6,
  returnsPerMinute: 1e6,
  keysPerMinute: 1e6,
  challengesPerMinute: 1e6,
  captchasPerMinute: 1e6,
  perAddress: { reads: 1e6, captchas: 1e6 },
};

type Call = () => Promise<unknown>;

/**
 * Starts a server that no limit stops.
 * @param createServer starts a build other than that of this folder
 */
export function openSite({
  postgres,
  ...options
}: {
  createServer?: typeof createServer;
  postgres?: { url: string } | undefined;
  settings?: Settings;
}): Promise<World> {
  return openWorld({ random: createRandom(1), postgresUrl: postgres?.url, limits: LIMITS, dwellMs: 0, ...options });
}

/** Plays whole runs of new devices, several at a time, with the pages and calls of a visitor and of the app. */
export async function playRuns(site: World, runs: number): Promise<void> {
  await rateOf(
    newPlayers(site, runs).map((player) => async () => {
      const look = async (name: number | 'getkey') => {
        await player.send(`/key-system-${name}?${player.who()}`);
        await player.state();
      };
      await finishRun({ player, world: site }, async (step, at) => {
        await look(at);
        await player.key();
        return player.takeStep({ step });
      });
      await look('getkey');
    }),
  );
}

/** Makes all calls, several at a time. Returns calls per second. */
export async function rateOf(calls: readonly Call[], count = AT_ONCE): Promise<number> {
  const startedAt = performance.now();
  await atOnce(calls, count);
  return calls.length / ((performance.now() - startedAt) / 1000);
}

export function newPlayers(site: World, count: number): Player[] {
  return Array.from({ length: count }, (_, nth) =>
    createPlayer(site, { random: site.random, address: `10.${nth % 200}.${Math.floor(nth / 200) % 200}.1` }),
  );
}

/** Makes calls, `count` at a time. */
async function atOnce(calls: readonly Call[], count = AT_ONCE): Promise<void> {
  const queue = calls.values();
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const call of queue) await call();
    }),
  );
}
