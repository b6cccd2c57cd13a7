import type { Arbitrary } from 'fast-check';
import type { JWK } from 'jose';
import type { Answer } from '../world/client.ts';
import type { Persona } from '../players/personas.ts';
import type { Player, PlayerOptions, StepStart, StepStarted } from '../players/player.ts';
import type { Random } from '../world/random.ts';
import type { Finding, World } from '../world/world.ts';

/** A step start that led to an advertiser. */
export type Departed = Extract<StepStarted, { link: string }>;

/** A device with a key. All scenarios may use them. */
export interface Exhibit {
  player: Player;
  key: string;
}

/** An honest player beside an attack. */
export interface Honest {
  player: Player;
  /** Plays until the key. Notes a finding when the player does not get it. */
  finish: () => Promise<void>;
}

export interface Attack {
  world: World;
  random: Random;
  exhibits: readonly Exhibit[];
  /** The public key of the server. */
  jwk: JWK;
  honest: (persona: Persona, options?: Partial<PlayerOptions>) => Honest;
  /**
   * Creates a hostile player.
   * @param isVictims whether the device belongs to an honest player, who may have a key
   */
  player: (options?: Partial<PlayerOptions> & { isVictims?: boolean }) => Player;
  /** Plays something hostile and counts it as `count` tries. */
  tries: <Result>(play: () => Promise<Result>, count?: number) => Promise<Result>;
  /** Notes a finding when the condition is false. */
  expect: (isSo: unknown, what: string, finding?: Finding) => void;
  /** Opens a run: solves the captcha, sends it, and presses the button. */
  openRun: (player: Player, start?: StepStart) => Promise<Departed>;
  /** Presses the button. Throws when that does not lead to an advertiser. */
  leave: (player: Player, start?: StepStart) => Promise<Departed>;
  /**
   * Expects that the run is at a step.
   * @param orNone whether the run may also have ended
   */
  expectStep: (player: Player, step: number, what?: string, options?: { orNone?: boolean }) => Promise<void>;
  /** Expects that the server did not break and that the answer reveals nothing. */
  expectNothing: (answer: Answer) => void;
  /**
   * Asks with so many generated values, and expects the same. It notes the smallest value that it finds to break the
   * server, with its seed.
   */
  fuzz: <Value>(values: Arbitrary<Value>, times: number, ask: (value: Value) => Promise<Answer>) => Promise<void>;
  post: (player: Player, path: string, body: unknown) => Promise<Answer>;
}

export interface Scenario {
  name: string;
  /** How often it may be played; by default without a limit. */
  most?: number;
  play: (attack: Attack) => Promise<void>;
}
