import { withProgress } from '../../api/src/ops/progress.ts';
import { readLog } from './oracles/read-log.ts';
import { consultOracle } from './oracles/run-oracle.ts';
import { BUYERS } from './players/buyers.ts';
import { issueCodes } from './players/operator.ts';
import { ON_COMPANION, PERSONAS as PLAYERS, PLAIN, type Persona } from './players/personas.ts';
import type { Player } from './players/player.ts';
import { createRandom } from './world/random.ts';
import type { Exhibit } from './scenarios/scenario.ts';
import { SCENARIOS, UNHEALTHY } from './scenarios/scenarios.ts';
import { createRoster, describe, type Roster } from './scenarios/roster.ts';
import { consultCheckoutOracle } from './oracles/checkout-oracle.ts';
import { openWorld, type Findings, type World } from './world/world.ts';

const PERSONAS = [...PLAYERS, ...BUYERS];

/** How many plays run at the same time. */
const AT_ONCE = 24;
/** There is one honest player for this many hostile tries. Each persona plays at least once. */
const TRIES_PER_HONEST = 40;

/** The limit of failures until a circuit opens. It is high, because the fake advertisers answer nonsense very often. */
const FAILURE_LIMIT = 100;

export interface AttackReport {
  seed: number;
  database: string;
  /** Tries by the name of their scenario. */
  counts: ReadonlyMap<string, number>;
  tries: number;
  requests: number;
  honest: number;
  findings: Findings;
}

/** Plays one scenario or one persona. */
type Play = () => Promise<unknown>;

/**
 * Plays all scenarios until there were enough tries, with honest players in between.
 * @param postgres the database server to use instead of SQLite
 */
export async function playAttack({
  seed,
  tries,
  postgres,
}: {
  seed: number;
  tries: number;
  postgres?: { url: string } | undefined;
}): Promise<AttackReport> {
  const world = await openWorld({
    random: createRandom(seed),
    postgresUrl: postgres?.url,
    limits: { advertiserFailures: FAILURE_LIMIT },
  });
  const names = [...SCENARIOS, ...UNHEALTHY].map(({ name }) => name);
  const roster = createRoster(world, names, tries);
  const guarded = (name: string, play: Play) => guard(world, name, play);

  try {
    world.codes = await issueCodes(world);
    const exhibits = await Promise.all([PLAIN, ON_COMPANION].map((persona) => makeExhibit(roster, persona)));
    await withProgress(
      `Attack, ${world.database.name}`,
      () => atOnce(AT_ONCE, mix(world, roster, exhibits, tries)),
      () => `${roster.total()} tries of at least ${tries}`,
    );

    await Promise.all(
      UNHEALTHY.map(({ name, play }) => guarded(name, () => play(roster.attackOf(name, 'unhealthy', exhibits)))),
    );
    await examine(world, roster);
    readLog(world);

    return {
      seed,
      database: world.database.name,
      counts: roster.counts,
      tries: roster.total(),
      requests: world.requests,
      honest: roster.honestCount(),
      findings: world.findings,
    };
  } finally {
    await world.close();
  }
}

async function makeExhibit(roster: Roster, persona: Persona): Promise<Exhibit> {
  const { player, finish } = roster.honest(persona);
  await finish();
  return { player, key: (await player.key())?.key ?? '' };
}

/** Yields scenarios and personas in turns until there were enough tries. The seed decides their order. */
function* mix(world: World, roster: Roster, exhibits: readonly Exhibit[], tries: number): Generator<Play> {
  const { random } = world;
  const personas: Persona[] = [];

  for (let round = 0; roster.total() < tries || round === 0; round++) {
    for (const { name, most = Infinity, play } of random.shuffle(SCENARIOS)) {
      if (round >= most) continue;
      yield () => guard(world, name, () => play(roster.attackOf(name, round, exhibits)));
      if (personas.length === 0) personas.push(...random.shuffle(PERSONAS));
      if (roster.honestCount() < Math.max(PERSONAS.length, roster.total() / TRIES_PER_HONEST))
        yield roster.honest(personas.pop() ?? PLAIN).finish;
      if (round > 0 && roster.total() >= tries) break;
    }
  }
  for (const persona of personas) yield roster.honest(persona).finish;
}

async function guard({ findings }: World, name: string, play: Play): Promise<void> {
  try {
    await play();
  } catch (error) {
    findings.unplayed.push(`${name}: ${describe(error)}`);
  }
}

/** Asks for the key of every hostile device, and has the oracles examine the tables. Returns the keys that were earned. */
async function examine(world: World, roster: Roster): Promise<void> {
  const { findings } = world;
  const told: { player: Player; key: string | undefined }[] = [];
  await atOnce(
    AT_ONCE,
    roster.suspects.map((player) => async () => {
      const answer = await player.key();
      if (answer?.status === 'active') told.push({ player, key: answer.key });
    }),
  );

  const [run, checkout] = await Promise.all([consultOracle(world), consultCheckoutOracle(world)]);
  for (const kind of ['keys', 'rules'] as const) findings[kind].push(...run[kind], ...checkout[kind]);
  for (const kind of ['unpaid', 'unserved', 'doubled'] as const) findings[kind].push(...checkout[kind]);
  findings.steps.push(...run.steps);
  const earned = new Set([...run.earned, ...checkout.earned]);
  for (const { player, key } of told)
    if (!earned.has(key ?? '')) findings.keys.push(`${player.hwid} has a key that it did not earn`);
}

/** Runs all plays, at most `count` at a time. */
async function atOnce(count: number, plays: Iterable<Play>): Promise<void> {
  const queue = plays[Symbol.iterator]();
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await next.value();
  };
  await Promise.all(Array.from({ length: count }, work));
}
