import { setTimeout as wait } from 'node:timers/promises';
import { STEPS, verifyOffline, type App } from '../world/product.ts';
import type { AdvertiserId } from '../fakes/advertisers.ts';
import type { Page, Player, StepStart } from './player.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

export interface Person {
  player: Player;
  world: World;
  random: Random;
  newAddress: () => string;
}

/** The page after a step. It may only say that the advertiser's postback is still missing. */
export type NextPage = Partial<Page>;
const MAX_POLLS = 20;
const POLL_INTERVAL_MS = 1000;

/** The advertisers of a step, as the product's pages offer them. */
export function offered(app: App, step: number): AdvertiserId[] {
  if (app === 'companion') return ['linkvertise'];
  if (step === 1) return ['linkvertise', 'rinku', 'lootlabs'];
  return step <= 3 ? ['linkvertise', 'workink', 'lootlabs'] : ['linkvertise', 'lootlabs'];
}

/**
 * Plays a whole honest run, and checks the key at its end.
 * @param askedBy the player who asks for the key; by default the one who plays
 * @param takeStep plays one step, from its button to the page after it, and returns that page
 * @returns the key
 * @throws Error when the player does not reach the page that an honest player has earned
 */
export async function finishRun(
  { player, world, askedBy = player }: Pick<Person, 'player' | 'world'> & { askedBy?: Player },
  takeStep: (step: number | undefined, at: number) => Promise<NextPage> = (step) => player.takeStep({ step }),
): Promise<string> {
  await player.passCaptcha();
  for (let step = 1; step <= STEPS[player.app]; step++) {
    let page = await takeStep(step === 1 ? undefined : step, step);
    if (page.isWaiting) page = await untilConfirmed(player, step);
    const isNext = step === STEPS[player.app] ? page.name === 'getkey' : page.name === 'step' && page.step === step + 1;
    if (!isNext) throw new Error(`After step ${step} came ${JSON.stringify(page)}`);
  }
  return requireKey(world, askedBy);
}

/** Asks for the state of the run until the advertiser's postback has arrived, as the page of a step does. */
async function untilConfirmed(player: Player, step: number): Promise<NextPage> {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const state = await player.state();
    if (state?.run && state.run.step > step) return { name: 'step', step: state.run.step };
    if (state && !state.run && state.key?.active) return { name: 'getkey' };
    await wait(POLL_INTERVAL_MS);
  }
  throw new Error(`The advertiser's call on step ${step} was never counted`);
}

/**
 * Presses Complete and returns the link to the advertiser.
 * @throws Error when the server leads elsewhere
 */
export async function leave(player: Player, start: StepStart): Promise<string> {
  const { link, answer } = await player.clickComplete(start);
  if (link === undefined) throw new Error(`No way to an advertiser: ${answer.status} ${answer.location}`);
  return link;
}

async function requireKey(world: World, player: Player): Promise<string> {
  const answer = await player.key();
  if (answer?.status !== 'active' || answer.key === undefined)
    throw new Error(`The run is finished, and the app is told ${JSON.stringify(answer)}`);

  await verifyOffline(world.jwks, player, answer.key);
  const { text } = await player.post('/api/key/verify', { key: answer.key, hwid: player.hwid, app: player.app });
  if ((JSON.parse(text) as { code: string }).code !== 'VALID') throw new Error(`A new key is not good: ${text}`);
  return answer.key;
}
