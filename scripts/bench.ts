import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { printComparison, printTables } from '../tools/bench/print-tables.ts';
import { buildOutdated } from '../tools/units/build-units.ts';

/**
 * npm run bench
 * Prints the tables of pages and of what a run costs.
 * npm run bench -- pages [/v5] [--loads 9]
 * Measures these pages beside the same build rendered in the browser alone.
 * npm run bench -- cost [--runs 10000]
 * Measures what the calls of a run cost the server and PostgreSQL, and the bytes of so many runs.
 * npm run bench -- load [--per-minute 10000] [--seconds 300]
 * Lets so many visitors a minute arrive at one server, and prints what became of them.
 * npm run bench -- --against <commit> [--node <program>]
 * Measures what a run, a start and an idle server cost beside an earlier commit, which runs on that Node. Fails where
 * something costs a tenth more.
 */
const { values, positionals } = parseArgs({
  options: {
    against: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    loads: { type: 'string', default: '9' },
    runs: { type: 'string', default: '10000' },
    'per-minute': { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '300' },
  },
  allowPositionals: true,
});

await buildOutdated();
const isHeld =
  values.against === undefined
    ? await printTables({
        parts: positionals.filter((word) => !word.startsWith('/')),
        paths: positionals.filter((word) => word.startsWith('/')),
        loads: Number(values.loads),
        runs: Number(values.runs),
        load: { perMinute: Number(values['per-minute']), seconds: Number(values.seconds) },
      })
    : await printComparison(values.against, resolve(values.node));
process.exit(isHeld ? 0 : 1);
