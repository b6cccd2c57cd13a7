import type { JWK } from 'jose';
import type { Answer } from '../client.ts';
import type { Persona } from '../personas.ts';
import type { Player, PlayerOptions, Press, Pressed } from '../player.ts';
import type { Random } from '../random.ts';
import type { Finding, World } from '../world.ts';

/** A press that led to an advertiser. */
export type Departed = Extract<Pressed, { link: string }>;

/** A device with a key that everybody may try their tricks on. */
export interface Exhibit {
  player: Player;
  key: string;
}

/** Somebody honest who is played beside an attack. */
export interface Honest {
  player: Player;
  /** Plays them to their key, and notes when they do not get it. */
  finish: () => Promise<void>;
}

/** What a scenario is played with. */
export interface Attack {
  world: World;
  random: Random;
  exhibits: readonly Exhibit[];
  /** The public key of the server. */
  jwk: JWK;
  /** How many runs one network may open within the hour: with a dearer captcha past `soft`, none past `hard`. */
  networkStarts: { soft: number; hard: number };
  honest: (persona: Persona, options?: Partial<PlayerOptions>) => Honest;
  /** @param isVictims whether the device belongs to somebody honest, who may well have a key */
  player: (options?: Partial<PlayerOptions> & { isVictims?: boolean }) => Player;
  /** Does something hostile, and counts it. */
  tries: <Result>(play: () => Promise<Result>, count?: number) => Promise<Result>;
  /** Notes a finding where something is not so. */
  expect: (isSo: unknown, what: string, finding?: Finding) => void;
  /** A captcha, solved and handed in, and the first press of the button. */
  openRun: (player: Player, press?: Press) => Promise<Departed>;
  /** A press that has to lead to an advertiser for the attack to go on. */
  leave: (player: Player, press?: Press) => Promise<Departed>;
  /** @param orNone whether the run may also have come to its end */
  expectStep: (player: Player, step: number, what?: string, options?: { orNone?: boolean }) => Promise<void>;
  /** Nothing was broken, and nothing was given away. */
  expectNothing: (answer: Answer) => void;
  post: (player: Player, path: string, body: unknown) => Promise<Answer>;
}

/** Something that nobody may get away with. */
export interface Scenario {
  name: string;
  /** How often it is played at most. */
  most?: number;
  play: (attack: Attack) => Promise<void>;
}

/** Prepares something that is good, and gives what to do with it once the clock has gone on. */
export interface ClockScenario {
  name: string;
  /** By how many milliseconds the clock goes on. */
  afterMs: number;
  prepare: (attack: Attack) => Promise<() => Promise<void>>;
}
