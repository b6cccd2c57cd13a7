import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withProgress } from '../../api/src/ops/progress.ts';
import { consultCheckoutOracle } from './oracles/checkout-oracle.ts';
import { readLog } from './oracles/read-log.ts';
import { consultOracle } from './oracles/run-oracle.ts';
import { PERSONAS, type Persona } from './players/personas.ts';
import { RACES } from './scenarios/races.ts';
import { RETURNS } from './scenarios/returns.ts';
import { createRoster, describe, type Roster } from './scenarios/scenario.ts';
import type { Report } from './report.ts';
import { createRandom } from './world/random.ts';
import { openWorld, type World } from './world/world.ts';

const SCENARIOS = [...RETURNS, ...RACES];

/** How many plays run at the same time. */
const AT_ONCE = 24;
/** There is one honest player for this many hostile tries. Each persona plays at least once. */
const TRIES_PER_HONEST = 40;
/** How many codes a reseller, one of those that a development server begins with, has to sell. */
const CODES_ARGUMENTS = '--reseller sample-1 --plan plus --count 500'.split(' ');

/** Plays one scenario or one persona. */
type PlayScenario = () => Promise<unknown>;

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
}): Promise<Report> {
  const world = await openWorld({ random: createRandom(seed), postgresUrl: postgres?.url });
  const roster = createRoster(
    world,
    SCENARIOS.map(({ name }) => name),
    tries,
  );

  try {
    world.codes = await issueCodes(world);
    await withProgress(
      `Attack, ${world.database.name}`,
      () => atOnce(AT_ONCE, mix(world, roster, tries)),
      () => `${roster.total()} tries of at least ${tries}`,
    );
    await examine(world, roster);
    readLog(world);

    const { counts } = roster;
    const width = Math.max(...[...counts.keys()].map((name) => name.length));
    const table = [...counts].map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(6)}\n`);
    return {
      summary: `${world.database.name}, seed ${seed}\n\n${table.join('')}\n  ${counts.size} scenarios, ${roster.total()} tries, ${world.requests} requests; ${roster.honestCount()} honest players in between`,
      findings: world.findings,
    };
  } finally {
    await world.close();
  }
}

/** Has the operator's command make codes for a plan of 30 days. */
async function issueCodes({ folder, database }: World): Promise<string[]> {
  const asked = ['dist/api/ops.js', '--json', 'licence', 'issue', ...CODES_ARGUMENTS];
  const { stdout } = await promisify(execFile)(process.execPath, asked, {
    env: { ...process.env, NODE_ENV: 'development', DATA_DIR: join(folder, 'data'), ...database.settings },
  });
  return (JSON.parse(stdout) as { codes: string[] }).codes;
}

/** Yields scenarios and personas in turns until there were enough tries. The seed decides their order. */
function* mix({ random, findings }: World, roster: Roster, tries: number): Generator<PlayScenario> {
  const personas: Persona[] = [];
  const nextPersona = () => {
    if (personas.length === 0) personas.push(...random.shuffle(PERSONAS));
    return personas.pop() as Persona;
  };

  for (let round = 0; roster.total() < tries || round === 0; round++) {
    for (const { name, most = Infinity, play } of random.shuffle(SCENARIOS)) {
      if (round >= most) continue;
      yield () =>
        play(roster.attackOf(name, round)).catch((error: unknown) => {
          findings.unplayed.push(`${name}: ${describe(error)}`);
        });
      if (roster.honestCount() < Math.max(PERSONAS.length, roster.total() / TRIES_PER_HONEST)) {
        const persona = nextPersona();
        yield () => roster.playHonest(persona);
      }
      if (round > 0 && roster.total() >= tries) break;
    }
  }
}

/** Asks for the key of every hostile device, and has the oracles examine the tables. */
async function examine(world: World, { suspects }: Roster): Promise<void> {
  const { findings } = world;
  const told: { hwid: string; key: string | undefined }[] = [];
  const askFor = suspects.map((player) => async () => {
    const answer = await player.key();
    if (answer?.status === 'active') told.push({ hwid: player.hwid, key: answer.key });
  });
  await atOnce(AT_ONCE, askFor);

  const earned = [await consultOracle(world), await consultCheckoutOracle(world)].flatMap((each) => [...each]);
  for (const { hwid, key } of told)
    if (!earned.includes(key ?? '')) findings.keys.push(`${hwid} has a key that it did not earn`);
}

/** Runs all plays, at most `count` at a time. */
async function atOnce(count: number, plays: Iterable<PlayScenario>): Promise<void> {
  const queue = plays[Symbol.iterator]();
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await next.value();
  };
  await Promise.all(Array.from({ length: count }, work));
}
