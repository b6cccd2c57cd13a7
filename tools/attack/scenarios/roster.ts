import * as fc from 'fast-check';
import { createAddresses } from '../world/addresses.ts';
import type { Answer } from '../world/client.ts';
import type { Persona } from '../players/personas.ts';
import { createPlayer, SCRIPTED, type Player, type PlayerOptions } from '../players/player.ts';
import type { Attack, Departed, Exhibit, Honest } from './scenario.ts';
import type { World } from '../world/world.ts';

/** Tries for each network: few enough that none exceeds the limit of one network. */
const TRIES_PER_NETWORK = 120;

/** Creates all players of a world, honest and hostile, and counts the tries. */
export interface Roster {
  /** Tries by the name of their scenario. */
  counts: Map<string, number>;
  total: () => number;
  /** How many honest players there were. */
  honestCount: () => number;
  /** Every hostile device. */
  suspects: Player[];
  honest: (persona: Persona, options?: Partial<PlayerOptions>) => Honest;
  attackOf: (scenario: string, label: string | number, exhibits: readonly Exhibit[]) => Attack;
}

/**
 * @param names the names of all scenarios
 * @param tries the planned number of tries; it decides how many networks the players come from
 */
export function createRoster(world: World, names: readonly string[], tries: number): Roster {
  const { random, findings } = world;
  const addresses = createAddresses(random.fork('addresses'), Math.max(12, Math.ceil(tries / TRIES_PER_NETWORK)));
  const counts = new Map(names.map((name) => [name, 0]));
  const suspects: Player[] = [];
  let honestCount = 0;

  function honest(persona: Persona, options: Partial<PlayerOptions> = {}): Honest {
    honestCount += 1;
    const own = random.fork(`honest/${honestCount}`);
    const { name, app = 'main', os, zone, play } = persona;
    const player = createPlayer(world, {
      random: own,
      address: addresses.next(),
      app,
      ...(os && { os }),
      ...(zone !== undefined && { zone }),
      ...options,
    });
    return {
      player,
      async finish() {
        try {
          await play({ player, world, random: own, newAddress: () => addresses.next() });
        } catch (error) {
          findings.refused.push(`a visitor who ${name} (${player.hwid}, ${player.address}): ${describe(error)}`);
        }
      },
    };
  }

  function attackOf(scenario: string, label: string | number, exhibits: readonly Exhibit[]): Attack {
    const own = random.fork(`${scenario}/${label}`);
    const attack: Attack = {
      world,
      random: own,
      exhibits,
      jwk: world.jwks.keys[0] ?? {},
      honest,
      player({ isVictims, ...options } = {}) {
        const player = createPlayer(world, { random: own, address: addresses.next(), ...options });
        if (!isVictims) suspects.push(player);
        return player;
      },
      async tries(play, count = 1) {
        counts.set(scenario, (counts.get(scenario) ?? 0) + count);
        return play();
      },
      expect(isSo, what, finding = 'rules') {
        if (!isSo) findings[finding].push(`${scenario}: ${what}`);
      },
      async openRun(player, start) {
        await player.passCaptcha();
        return attack.leave(player, start);
      },
      async leave(player, start): Promise<Departed> {
        const started = await player.clickComplete(start);
        if (started.link !== undefined) return started;
        throw new Error(`No way to an advertiser: ${started.answer.status} ${started.answer.location}`);
      },
      async expectStep(player, step, what = 'the run stands elsewhere', { orNone = false } = {}) {
        const state = await player.state();
        if (!state) throw new Error('The state could not be read');
        attack.expect(
          state.run ? state.run.step === step : orNone && !state.key,
          `${what}: step ${state.run?.step} instead of ${step}`,
          'steps',
        );
      },
      expectNothing: (answer) => attack.expect(isHarmless(answer), describeOdd(answer)),
      async fuzz(values, times, ask) {
        const property = fc.asyncProperty(values, async (value) => {
          const answer = await attack.tries(() => ask(value));
          if (!isHarmless(answer)) throw new Error(describeOdd(answer));
        });
        const found = await fc.check(property, { seed: own.int(2 ** 31), numRuns: times });
        attack.expect(!found.failed, fc.defaultReportMessage(found) ?? '');
      },
      post: (player, path, body) =>
        player.send(path, {
          method: 'POST',
          headers: { ...SCRIPTED, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    };
    return attack;
  }

  return {
    counts,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    honestCount: () => honestCount,
    suspects,
    honest,
    attackOf,
  };
}

/** Whether the server did not break and reveals nothing. Whatever is put off for lack of time is refused as well. */
function isHarmless({ status, headers, text }: Answer): boolean {
  const isPutOff = status === 503 && headers['retry-after'] !== undefined;
  return (status < 500 || isPutOff) && !text.includes('"active"') && !/\bat .*\.(ts|js):\d+/.test(text);
}

function describeOdd({ status, text }: Answer): string {
  return `an odd request was answered ${status} ${text.slice(0, 200)}`;
}

/** The text of an error, with its stack. */
export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
