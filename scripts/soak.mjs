import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { postgresPrograms, withPostgres } from './postgres.mjs';

/**
 * npm run soak [-- --tries 20000] [--kills 30] [--seed 1]
 * Attacks a server and kills it again and again, on each database; `npm test` does the same for a short time.
 */
requireNode();
await ensureInstalled();

const { values } = parseArgs({ options: { tries: { type: 'string', default: '20000' }, kills: { type: 'string', default: '30' }, seed: { type: 'string' } } });
const [tries, kills] = [Number(values.tries), Number(values.kills)];
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

const { buildOutdated } = await import('./build.mjs');
const { playAttack } = await import('./attack/play.mjs');
const { playCrashes } = await import('./attack/crash.mjs');
const { printAttack, printCrashes } = await import('./attack/report.mjs');

await buildOutdated();
let isSafe = true;

await soak();
if (process.env.TEST_DATABASE_URL || postgresPrograms()) await withPostgres(soak);
else console.log('\nPostgreSQL is not installed, so this was SQLite alone.');
process.exit(isSafe ? 0 : 1);

async function soak(postgres) {
  isSafe = printAttack(await playAttack({ seed, tries, postgres })) && isSafe;
  isSafe = printCrashes(await playCrashes({ seed, kills, postgres })) && isSafe;
}
