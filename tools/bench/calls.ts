import type { AdvertiserId } from '../attack/fakes/advertisers.ts';
import { leave } from '../attack/players/finish-run.ts';
import { createPlayer, type Player } from '../attack/players/player.ts';
import type { Client } from '../attack/world/client.ts';
import { createRandom } from '../attack/world/random.ts';
import { openWorld, type World } from '../attack/world/world.ts';
import type { Settings } from '../site/server.ts';

const DEVICES = 150;
const AT_ONCE = 8;
/** How often each player reads. */
const READS = 10;

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

export const CALLS = ['start', 'return', 'state', 'key'] as const;
type CallRates = Record<(typeof CALLS)[number], number>;

type Call = () => Promise<unknown>;

/**
 * Starts a server that no limit stops.
 * @param root the folder of the sources whose build is started
 * @param node the program that runs it
 */
export function openSite({
  postgres,
  ...options
}: {
  root?: string;
  node?: string;
  postgres?: { url: string } | undefined;
  settings?: Settings;
}): Promise<World> {
  return openWorld({ random: createRandom(1), postgresUrl: postgres?.url, limits: LIMITS, dwellMs: 0, ...options });
}

/** Measures how many calls of each kind the server answers per second. */
export async function measureCalls(site: World): Promise<CallRates> {
  const players = await newPlayers(site);
  const links: string[] = [];
  const start = await rateOf(players.map((player) => async () => links.push(await leave(player, {}))));
  const backs = await Promise.all(links.map((link) => site.advertisers.finish(link)));
  const returned = await measureReturns(site.client, backs);
  const read = (call: (player: Player) => Promise<unknown>) =>
    rateOf(Array.from({ length: READS }, () => players.map((player) => () => call(player))).flat());
  return {
    start,
    return: returned,
    state: await read((player) => player.state()),
    key: await read((player) => player.key()),
  };
}

/** Measures how many returns from an advertiser the server answers per second. */
export function measureReturns(client: Client, backs: readonly string[]): Promise<number> {
  return rateOf(backs.map((back) => () => client.ask(back)));
}

/** Finishes visits to an advertiser. Returns their return addresses, which are not opened yet. */
export async function finishVisits(site: World, advertiser: AdvertiserId): Promise<string[]> {
  const backs: string[] = [];
  const visit = async (player: Player) => {
    const link = await leave(player, { advertiser });
    backs.push(await site.advertisers.finish(link));
  };
  await atOnce((await newPlayers(site)).map((player) => () => visit(player)));
  return backs;
}

/** Makes all calls, several at a time. Returns calls per second. */
export async function rateOf(calls: readonly Call[], count = AT_ONCE): Promise<number> {
  const startedAt = performance.now();
  await atOnce(calls, count);
  return calls.length / ((performance.now() - startedAt) / 1000);
}

/** Players with new devices that have passed the captcha. */
async function newPlayers(site: World): Promise<Player[]> {
  const players = Array.from({ length: DEVICES }, (_, nth) =>
    createPlayer(site, { random: site.random, address: `10.0.${nth % 250}.1` }),
  );
  await atOnce(players.map((player) => () => player.passCaptcha()));
  return players;
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
