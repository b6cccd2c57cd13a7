import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { requireNode } from './node-version.mjs';

/**
 * npm run attack [-- --tries 1000] [--seed 1] [--postgres]
 * Plays hostile and honest clients against a server of its own, on this machine only.
 */
requireNode();
await ensureInstalled();

const { values } = parseArgs({
  options: {
    tries: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    postgres: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

const { buildOutdated } = await import('./build.mjs');
const { playAttack } = await import('./attack/play.mjs');
const { printAttack } = await import('./attack/report.mjs');
const { withPostgres } = await import('./postgres.mjs');

await buildOutdated();
console.log(`Attacking with seed ${seed}`);
const play = (postgres) => playAttack({ seed, tries: Number(values.tries), postgres });
const isSafe = printAttack(values.postgres ? await withPostgres(play) : await play());
process.exit(isSafe ? 0 : 1);
