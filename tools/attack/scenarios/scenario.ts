import { createAddresses } from '../world/random.ts';
import type { Persona } from '../players/personas.ts';
import { createPlayer, type Player, type PlayerOptions, type StepStart } from '../players/player.ts';
import type { Finding } from '../report.ts';
import type { World } from '../world/world.ts';

/** Tries for each network: few enough that none exceeds the limit of one network. */
const TRIES_PER_NETWORK = 120;

export interface Scenario {
  name: string;
  /** How often it may be played; by default without a limit. */
  most?: number;
  play: (attack: Attack) => Promise<void>;
}

export type Attack = ReturnType<Roster['attackOf']>;

export type Roster = ReturnType<typeof createRoster>;

/**
 * Creates all players of a world, honest and hostile, and counts the tries.
 * @param names the names of all scenarios
 * @param tries the planned number of tries; it decides how many networks the players come from
 */
export function createRoster(world: World, names: readonly string[], tries: number) {
  const { random, findings } = world;
  const addresses = createAddresses(random.fork('addresses'), Math.max(12, Math.ceil(tries / TRIES_PER_NETWORK)));
  /** Tries by the name of their scenario. */
  const counts = new Map(names.map((name) => [name, 0]));
  /** Every hostile device. */
  const suspects: Player[] = [];
  let honestCount = 0;

  return {
    counts,
    suspects,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    honestCount: () => honestCount,

    /** Plays an honest visitor. Notes a finding when it does not get what it has earned. */
    async playHonest({ name, app = 'main', play }: Persona): Promise<void> {
      honestCount += 1;
      const own = random.fork(`honest/${honestCount}`);
      const player = createPlayer(world, { random: own, address: addresses.next(), app });
      try {
        await play({ player, world, random: own, newAddress: () => addresses.next() });
      } catch (error) {
        findings.refused.push(`a visitor who ${name} (${player.hwid}, ${player.address}): ${describe(error)}`);
      }
    },

    attackOf(scenario: string, round: number) {
      const own = random.fork(`${scenario}/${round}`);
      const expect = (isSo: unknown, what: string, finding: Finding = 'rules') => {
        if (!isSo) findings[finding].push(`${scenario}: ${what}`);
      };
      /** Presses the button. Throws when that does not lead to an advertiser. */
      const leave = async (player: Player, start?: StepStart) => {
        const started = await player.clickComplete(start);
        if (started.link !== undefined) return started;
        throw new Error(`No way to an advertiser: ${started.answer.status} ${started.answer.location}`);
      };

      return {
        world,
        random: own,
        leave,
        /** Notes a finding when the condition is false. */
        expect,

        /** Creates a hostile player. */
        player: (options: Partial<PlayerOptions> = {}): Player => {
          const player = createPlayer(world, { random: own, address: addresses.next(), ...options });
          suspects.push(player);
          return player;
        },

        /** Plays something hostile and counts it as `count` tries. */
        tries: async <Result>(play: () => Promise<Result>, count = 1): Promise<Result> => {
          counts.set(scenario, (counts.get(scenario) ?? 0) + count);
          return play();
        },

        /** Opens a run: solves the captcha, sends it, and presses the button. */
        openRun: async (player: Player, start?: StepStart) => {
          await player.passCaptcha();
          return leave(player, start);
        },

        /**
         * Expects that the run is at a step.
         * @param orNone whether the run may also have ended
         */
        expectStep: async (player: Player, step: number, what: string, { orNone = false } = {}): Promise<void> => {
          const state = await player.state();
          if (!state) throw new Error('The state could not be read');
          expect(
            state.run ? state.run.step === step : orNone && !state.key,
            `${what}: step ${state.run?.step} instead of ${step}`,
            'steps',
          );
        },
      };
    },
  };
}

/** The text of an error, with its stack. */
export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
