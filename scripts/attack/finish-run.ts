import { setTimeout as wait } from 'node:timers/promises';
import { STEPS, type App } from './apps.ts';
import type { AdvertiserId } from './fake-advertisers.ts';
import type { Page, Player, Press } from './player.ts';
import type { Random } from './random.ts';
import { verifyOffline } from './verify-offline.ts';
import type { World } from './world.ts';

/** Somebody honest, and what they are on the way in. */
export interface Person {
  player: Player;
  world: World;
  random: Random;
  newAddress: () => string;
}

/** Where somebody stands after a step's button; all that is known may be that the advertiser has yet to call. */
type After = Partial<Page>;
const POLLS = 20;
const POLL_MS = 1000;

/** What a step offers, as the product's page has it. */
export function offered(app: App, step: number): AdvertiserId[] {
  if (app === 'companion') return ['linkvertise'];
  if (step === 1) return ['linkvertise', 'rinku', 'lootlabs'];
  return step <= 3 ? ['linkvertise', 'workink', 'lootlabs'] : ['linkvertise', 'lootlabs'];
}

/**
 * Plays a whole run as people do, and sees that the key is good.
 * @param askedBy who asks for the key, where it is not whoever began
 * @param takeStep what this player does between a step's button and the page after it; gives that page
 * @throws when the player does not get where an honest one belongs
 */
export async function finishRun(
  { player, world, askedBy = player }: Pick<Person, 'player' | 'world'> & { askedBy?: Player },
  takeStep: (step: number | undefined, at: number) => Promise<After> = (step) => player.takeStep({ step }),
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

/** The page of a step waits for the advertiser's call by asking again and again. */
async function untilConfirmed(player: Player, step: number): Promise<After> {
  for (let polls = 0; polls < POLLS; polls++) {
    const state = await player.state();
    if (state?.run && state.run.step > step) return { name: 'step', step: state.run.step };
    if (state && !state.run && state.key?.active) return { name: 'getkey' };
    await wait(POLL_MS);
  }
  throw new Error(`The advertiser's call on step ${step} was never counted`);
}

/** Presses Complete, and gives the link to the advertiser. */
export async function leave(player: Player, press: Press): Promise<string> {
  const { link, answer } = await player.press(press);
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
