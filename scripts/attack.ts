import { parseArgs } from 'node:util';
import { playAttack } from '../tools/attack/play.ts';
import { printDetails, printReport } from '../tools/attack/report.ts';
import { buildOutdated } from '../tools/units/build-units.ts';
import { withPostgres } from '../tools/machine/postgres.ts';

/**
 * npm run attack [-- --tries 1000] [--seed 1] [--postgres]
 * Plays hostile and honest clients against a server of its own, on this machine only.
 */
const { values } = parseArgs({
  options: {
    tries: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    postgres: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

await buildOutdated();
console.log(`Attacking with seed ${seed}`);
const play = (postgres?: { url: string }) => playAttack({ seed, tries: Number(values.tries), postgres });
const isSafe = printReport(values.postgres ? await withPostgres(play) : await play());
printDetails();
process.exit(isSafe ? 0 : 1);
