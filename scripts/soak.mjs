import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { postgresPrograms, withPostgres } from './postgres.mjs';

/**
 * npm run soak [-- --tries 20000] [--kills 30] [--starts 100] [--seed 1]
 * Attacks a server, kills it again and again, also while it starts, and takes away what it stands on, on each database;
 * `npm test` does the same for a short time.
 */
requireNode();
await ensureInstalled();

const { values } = parseArgs({ options: { tries: { type: 'string', default: '20000' }, kills: { type: 'string', default: '30' }, starts: { type: 'string', default: '100' }, seed: { type: 'string' } } });
const [tries, kills, starts] = [Number(values.tries), Number(values.kills), Number(values.starts)];
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

const { buildOutdated } = await import('./build.mjs');
const { playAttack } = await import('./attack/play.mjs');
const { playCrashes } = await import('./attack/crash.mjs');
const { playOutages } = await import('./attack/outages.mjs');
const { playStarts } = await import('./attack/starts.mjs');
const { printAttack, printCrashes, printOutages, printStarts } = await import('./attack/report.mjs');

await buildOutdated();
console.log(`Attacking and killing with seed ${seed}`);
const hasPostgres = Boolean(process.env.TEST_DATABASE_URL || postgresPrograms());
if (!hasPostgres) console.log('PostgreSQL is not installed, so this is SQLite alone.');

// Side by side: most of the time each waits at an advertiser.
const reports = await Promise.all([soak(), ...(hasPostgres ? [withPostgres(soak)] : [])]);
const verdicts = reports.flatMap(({ attack, crashes, started, outages }) => [printAttack(attack), printCrashes(crashes), printStarts(started), printOutages(outages)]);
process.exit(verdicts.every(Boolean) ? 0 : 1);

async function soak(postgres) {
  return {
    attack: await playAttack({ seed, tries, postgres }),
    crashes: await playCrashes({ seed, kills, postgres }),
    started: await playStarts({ seed, kills: starts, postgres }),
    // Last: it stops the database in the middle of everything.
    outages: await playOutages({ postgres }),
  };
}
