import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { run } from './run.mjs';

requireNode();
await ensureInstalled();

const { buildOutdated, RSPACK } = await import('./build.mjs');
await buildOutdated();
const wanted = process.argv.slice(2);
const isWanted = (part) => wanted.length === 0 || wanted.includes(part);

if (isWanted('pages')) {
  await ensureChromium();
  await run(process.execPath, [RSPACK, 'build'], { cwd: 'scripts/bench/one-bundle' });
  const { benchPages } = await import('./bench/pages.ts');
  print('Pages: median of 9 cold loads, 150 ms, 1.6 Mbit/s, processor 4× slower', await benchPages(), [
    'path',
    'measure',
    'units',
    'bundle',
    'ratio',
  ]);
}
if (isWanted('sockets')) {
  const { benchSockets } = await import('./bench/sockets.ts');
  print('Sockets: the live count beside bare ws, median of 3', await benchSockets(), [
    'connections',
    'measure',
    'site',
    'bare',
    'ratio',
  ]);
}
if (isWanted('storage')) {
  const { benchPastRuns, benchReturns } = await import('./bench/storage.ts');
  print('Returns: requests per second, 8 at a time, median of 5', await benchReturns(), [
    'route',
    'perSecond',
    'ratio',
  ]);
  print('Past runs: requests per second, 8 at a time, median of 5', await benchPastRuns(), [
    'database',
    'call',
    'after 1000',
    'after 1000000',
    'ratio',
  ]);
}

/** A table that can be pasted into docs/benchmarks.md. */
function print(title, rows, columns) {
  const text = (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value));
  console.log(`\n${title}\n\n| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${columns.map((column) => text(row[column])).join(' | ')} |`);
}
