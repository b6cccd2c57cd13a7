import { parseArgs } from 'node:util';
import { playCluster } from '../tools/attack/cluster/play-cluster.ts';
import { playCrashes } from '../tools/attack/crashes/crash.ts';
import { playLimits } from '../tools/attack/limits/limits.ts';
import { playOutages } from '../tools/attack/outages/play-outages.ts';
import { playAttack } from '../tools/attack/play.ts';
import { playPublications } from '../tools/attack/crashes/publications.ts';
import {
  printAttack,
  printCluster,
  printCrashes,
  printDetails,
  printLimits,
  printOutages,
  printPublications,
  printRenderers,
  printStarts,
  printTeams,
  printTill,
} from '../tools/attack/report.ts';
import { playRenderers } from '../tools/attack/crashes/renderers.ts';
import { playStarts } from '../tools/attack/crashes/starts.ts';
import { playTeams } from '../tools/attack/crashes/teams.ts';
import { playTill } from '../tools/attack/checkout/play-checkout.ts';
import { buildOutdated } from '../tools/units/build-outdated.ts';
import { chromiumPath } from '../tools/machine/chromium.ts';
import { FURTHER_JOURNEYS } from '../tools/test-run/further-journeys.ts';
import { runAndKeep } from '../tools/machine/run.ts';
import { postgresPrograms, withPostgres, type Postgres } from '../tools/machine/postgres.ts';

/**
 * npm run soak [-- --tries 20000] [--kills 30] [--starts 100] [--purchases 2000] [--till-kills 20]
 *   [--publications 30] [--renderers 5] [--rounds 20] [--requests 1000000] [--seed 1]
 *   [--each-once] [--no-matrix]
 * npm run soak -- cluster [--rounds 10] [--seed 1] [--short]
 * On each database it attacks a server, kills it many times, also while it starts, while plans are paid and while
 * releases come in, and takes away what it depends on. It kills those who render releases. On PostgreSQL two teams deploy at once on two servers. Then it
 * measures the server's memory after a day of limits. With `cluster` it plays the servers, the proxy and the replicated
 * database of `npm run cluster` alone. `npm test` does the same in a short form.
 */
const count = (amount: number) => ({ type: 'string', default: String(amount) }) as const;
const { values, positionals } = parseArgs({
  options: {
    tries: count(20_000),
    kills: count(30),
    starts: count(100),
    purchases: count(2000),
    'till-kills': count(20),
    publications: count(30),
    renderers: count(5),
    rounds: count(20),
    requests: count(1_000_000),
    seed: { type: 'string' },
    'each-once': { type: 'boolean', default: false },
    matrix: { type: 'boolean', default: true },
    short: { type: 'boolean', default: false },
  },
  allowNegative: true,
  allowPositionals: true,
});
const { tries, kills, starts, purchases, tillKills, publications, renderers, rounds, requests } = {
  tries: Number(values.tries),
  kills: Number(values.kills),
  starts: Number(values.starts),
  purchases: Number(values.purchases),
  tillKills: Number(values['till-kills']),
  publications: Number(values.publications),
  renderers: Number(values.renderers),
  rounds: Number(values.rounds),
  requests: Number(values.requests),
};
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

await buildOutdated();
if (positionals.includes('cluster')) {
  const isWell = printCluster(await playCluster({ seed, rounds, isShort: values.short }));
  printDetails();
  process.exit(isWell ? 0 : 1);
}
console.log(`Attacking and killing with seed ${seed}`);
const hasPostgres = Boolean(process.env.TEST_DATABASE_URL || postgresPrograms());
if (!hasPostgres) console.log('PostgreSQL is not installed, so this is SQLite alone.');

// At the same time, because players mostly wait at an advertiser, and an outage for what was taken away. Outages have a
// database server of their own, because they pause it.
const [reports, outages] = await Promise.all([onEach(soak), onEach(soakOutages)]);
const verdicts = reports.flatMap(({ attack, crashes, started, till, published, teams }) => [
  ...(attack ? [printAttack(attack)] : []),
  ...(crashes ? [printCrashes(crashes)] : []),
  ...(started ? [printStarts(started)] : []),
  ...(till ? [printTill(till)] : []),
  ...(published ? [printPublications(published)] : []),
  ...(teams ? [printTeams(teams)] : []),
]);
verdicts.push(...outages.flatMap((played) => (played ? [printOutages(played)] : [])));
// Alone, because it uses all the processor time that it gets.
verdicts.push(printRenderers(await playRenderers({ seed, rounds: renderers })));
verdicts.push(printLimits(await playLimits({ seed, requests })));
if (values.matrix) verdicts.push(await runTool('drill'), await runTool('e2e', '--', '--grep', FURTHER_JOURNEYS));
printDetails();
process.exit(verdicts.every(Boolean) ? 0 : 1);

/** Runs what `npm test` leaves out: the way of a team; journeys in further windows, units and advertisers. */
async function runTool(...script: string[]): Promise<boolean> {
  const env = { ...process.env, CHROMIUM: chromiumPath() };
  const { isOk } = await runAndKeep('npm', ['run', '--silent', ...script], { env });
  return isOk;
}

/** Calls a function for SQLite, and for PostgreSQL where that is installed, at the same time. */
function onEach<Result>(play: (postgres?: Postgres) => Promise<Result>): Promise<Result[]> {
  return Promise.all([play(), ...(hasPostgres ? [withPostgres(play)] : [])]);
}

async function soak(postgres?: Postgres) {
  let nth = seed;
  const isHere = () => isPlayedOn(postgres, nth++);

  return {
    attack: isHere() && (await playAttack({ seed, tries, postgres })),
    crashes: isHere() && (await playCrashes({ seed, kills, postgres })),
    started: isHere() && (await playStarts({ seed, kills: starts, postgres })),
    till: isHere() && (await playTill({ seed, purchases, kills: tillKills, postgres })),
    published: isHere() && (await playPublications({ seed, kills: publications, postgres })),
    // Two servers need a database that they can share.
    teams: postgres && (await playTeams({ rounds, postgres })),
  };
}

async function soakOutages(postgres?: Postgres) {
  return isPlayedOn(postgres, seed) && (await playOutages({ postgres }));
}

/** With `--each-once`, the databases take turns. */
function isPlayedOn(postgres: Postgres | undefined, turn: number): boolean {
  return !values['each-once'] || !hasPostgres || (turn % 2 === 0) === Boolean(postgres);
}
