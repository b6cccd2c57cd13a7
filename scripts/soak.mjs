import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { postgresPrograms, withPostgres } from './postgres.mjs';

/**
 * npm run soak [-- --tries 20000] [--kills 30] [--requests 1000000] [--seed 1]
 * Attacks a server and kills it again and again, on each database, and weighs it after a day of limits; `npm test` does the same for a short time.
 */
requireNode();
await ensureInstalled();

const { values } = parseArgs({ options: { tries: { type: 'string', default: '20000' }, kills: { type: 'string', default: '30' }, requests: { type: 'string', default: '1000000' }, seed: { type: 'string' } } });
const [tries, kills, requests] = [Number(values.tries), Number(values.kills), Number(values.requests)];
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

const { buildOutdated } = await import('./build.mjs');
const { playAttack } = await import('./attack/play.mjs');
const { playCrashes } = await import('./attack/crash.mjs');
const { playLimits } = await import('./attack/limits.mjs');
const { printAttack, printCrashes, printLimits } = await import('./attack/report.mjs');

await buildOutdated();
console.log(`Attacking and killing with seed ${seed}`);
const hasPostgres = Boolean(process.env.TEST_DATABASE_URL || postgresPrograms());
if (!hasPostgres) console.log('PostgreSQL is not installed, so this is SQLite alone.');

// Side by side: most of the time each waits at an advertiser.
const reports = await Promise.all([soak(), ...(hasPostgres ? [withPostgres(soak)] : [])]);
const verdicts = reports.flatMap(({ attack, crashes }) => [printAttack(attack), printCrashes(crashes)]);
// Alone, since it is as fast as the machine.
verdicts.push(printLimits(await playLimits({ seed, requests })));
process.exit(verdicts.every(Boolean) ? 0 : 1);

async function soak(postgres) {
  return { attack: await playAttack({ seed, tries, postgres }), crashes: await playCrashes({ seed, kills, postgres }) };
}
