import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { printComparison, printTables } from '../tools/bench/print-tables.ts';
import { buildOutdated } from '../tools/units/build-outdated.ts';

/**
 * npm run bench [-- builds] [html] [pages] [sockets] [storage] [audit]
 * Prints the tables of docs/benchmarks.md.
 * npm run bench -- pages /v5 --loads 3
 * Measures this page only, and loads it so many times.
 * npm run bench -- lighthouse [/v5] [--loads 5] [--calibrated]
 * Installs Lighthouse into dist/.peers and judges the pages with it, as a phone that is 4 times slower than this machine,
 * or as much slower as Lighthouse's calculator says.
 * npm run bench -- peers
 * The same, and the sockets also beside Socket.IO, which is installed there, too. No other part needs what is there.
 * npm run bench -- --against <commit> [--node <program>]
 * Measures the calls of a run beside those of an earlier commit, and fails where they have become slower than they may.
 * The earlier commit runs on that Node.
 * npm run bench -- html
 * Measures the site's HTML beside bare Express that sends the same bytes.
 * npm run bench -- capacity [--runs 10000]
 * Prints the tables of docs/capacity.md, with the bytes of so many runs.
 * npm run bench -- load [--per-minute 10000] [--seconds 300] [--without-nginx]
 * Lets so many visitors a minute arrive at one server behind the nginx of deploy/, and prints what became of them.
 * npm run bench -- html --against <commit>
 * Measures the pages beside those of an earlier commit, without and with an open canary.
 */
const { values, positionals } = parseArgs({
  options: {
    against: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    loads: { type: 'string' },
    runs: { type: 'string' },
    calibrated: { type: 'boolean', default: false },
    'per-minute': { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '300' },
    'without-nginx': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

await buildOutdated();
const isHeld =
  values.against === undefined
    ? await printTables({
        parts: positionals,
        paths: positionals.filter((word) => word.startsWith('/')),
        loads: values.loads === undefined ? undefined : Number(values.loads),
        runs: values.runs === undefined ? undefined : Number(values.runs),
        isCalibrated: values.calibrated,
        load: {
          perMinute: Number(values['per-minute']),
          seconds: Number(values.seconds),
          isProxied: !values['without-nginx'],
        },
      })
    : await printComparison(values.against, resolve(values.node), positionals.includes('html') ? 'html' : 'calls');
process.exit(isHeld ? 0 : 1);
