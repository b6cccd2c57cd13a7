import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withProgress } from '../api/src/ops/progress.ts';
import { benchAgainst, withEarlier } from '../tools/bench/calls/against.ts';
import { benchAudit } from '../tools/bench/calls/audit.ts';
import { assess } from '../tools/bench/calls/bars.ts';
import { benchCapacity } from '../tools/bench/capacity/capacity.ts';
import { benchBuilds } from '../tools/bench/builds.ts';
import { benchHtml } from '../tools/bench/html/html.ts';
import { benchHtmlBesideExpress } from '../tools/bench/html/html-beside-express.ts';
import { benchLastGood } from '../tools/bench/pages/last-good.ts';
import { benchLoad } from '../tools/bench/capacity/load.ts';
import { benchPages } from '../tools/bench/pages/bench-pages.ts';
import { benchLighthouse } from '../tools/bench/peers/bench-lighthouse.ts';
import { installPeer } from '../tools/bench/peers/install-peer.ts';
import { benchPublishing } from '../tools/bench/html/publishing.ts';
import { benchSockets } from '../tools/bench/sockets.ts';
import { benchPastRuns, benchReturns } from '../tools/bench/calls/storage.ts';
import { printTable } from '../tools/bench/measure/table.ts';
import { benchTwoServers } from '../tools/bench/calls/two-servers.ts';
import { buildOutdated, RSPACK } from '../tools/units/build-outdated.ts';
import { ensureChromium } from '../tools/machine/chromium.ts';
import { run } from '../tools/machine/run.ts';

/**
 * npm run bench [-- builds] [html] [pages] [last-good] [sockets] [storage] [audit]
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
 * npm run bench -- load [--per-minute 10000] [--seconds 300]
 * Lets so many visitors a minute arrive at one server, and prints what became of them.
 * npm run bench -- two-servers
 * Compares two servers on one replicated PostgreSQL with one.
 * npm run bench -- publishing
 * Compares a publication whose pages are rendered with one that has none to render.
 * npm run bench -- html --against <commit>
 * Measures the pages beside those of an earlier commit, without and with an open canary.
 */
const { values, positionals: wanted } = parseArgs({
  options: {
    against: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    loads: { type: 'string' },
    runs: { type: 'string' },
    calibrated: { type: 'boolean', default: false },
    'per-minute': { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '300' },
  },
  allowPositionals: true,
});
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);
const SOCKET_IO = 'socket.io@4.8.4';
const wantsPeers = wanted.includes('peers');
const paths = wanted.filter((part) => part.startsWith('/'));

await buildOutdated();
if (values.against !== undefined && wanted.includes('html')) {
  const rows = await withEarlier(values.against, resolve(values.node), benchHtml);
  printTable(`Pages per second beside ${values.against}: 8 at a time, medians of 40 turns`, rows);
  process.exit(rows.some(({ verdict }) => verdict === 'missed') ? 1 : 0);
}
if (values.against !== undefined) {
  const rows = (await withEarlier(values.against, resolve(values.node), benchAgainst)).map(assess);
  printTable(`Calls per second beside ${values.against}: three rounds of 5 turns each`, rows);
  process.exit(rows.some(({ verdict }) => verdict === 'missed') ? 1 : 0);
}

if (isWanted('builds')) {
  const rows = await benchBuilds();
  printTable('Builds: a unit alone beside everything from nothing, median of 3', rows);
  if (rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (isWanted('html')) {
  const rows = await benchHtmlBesideExpress();
  printTable('HTML beside bare Express: 8 at a time, medians of 20 turns', rows);
  if (rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (isWanted('pages')) {
  await ensureChromium();
  await run(process.execPath, [resolve(RSPACK), 'build'], { cwd: 'tools/bench/one-bundle' });
  const loads = Number(values.loads ?? 9);
  const { medians, bars } = await benchPages(paths, loads);
  printTable(`Pages: medians of ${loads} loads in turns, 150 ms, 1.6 Mbit/s, processor 4× slower`, medians);
  printTable('Pages: what became of the bars', bars);
  if (bars.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (wantsPeers || wanted.includes('lighthouse')) {
  await ensureChromium();
  const loads = Number(values.loads ?? 5);
  const { rows, slowdown } = await benchLighthouse(paths, loads, values.calibrated);
  printTable(
    `Lighthouse on a simulated phone, ${slowdown} × slower than this machine: points, median of ${loads}`,
    rows,
  );
  if (rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (isWanted('last-good')) {
  await ensureChromium();
  const rows = await benchLastGood();
  printTable('Pages of a unit that has lost a file, beside unbroken ones: median of 5 cold loads', rows);
  if (rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (isWanted('sockets') || wantsPeers) {
  const rows = await benchSockets(wantsPeers ? await installPeer(SOCKET_IO) : undefined);
  printTable('Sockets: the live count beside others, median of 3', rows);
  if (rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (isWanted('audit')) {
  const rows = await benchAudit();
  printTable('Returns beside those without an audit: commits of 5 ms, 32 at a time, median of 5', rows);
  if (rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (wanted.includes('capacity')) {
  await withProgress('Capacity', () => benchCapacity(Number(values.runs ?? 10_000), printTable));
}
if (wanted.includes('two-servers')) {
  const rows = await benchTwoServers();
  printTable('State calls of two servers beside one: 32 at a time, median of 5', rows);
  if (rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (wanted.includes('publishing')) {
  const rows = await benchPublishing();
  printTable('Publishing with rendering beside without: medians of 5', rows);
  if (rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
if (wanted.includes('load')) {
  const load = { perMinute: Number(values['per-minute']), seconds: Number(values.seconds) };
  await withProgress(`${values['per-minute']} visitors a minute`, () => benchLoad(load, printTable));
}
if (isWanted('storage')) {
  printTable('Returns: requests per second, 8 at a time, median of 5', await benchReturns());
  printTable('Past runs: requests per second, 8 at a time, median of 5', await benchPastRuns());
}
