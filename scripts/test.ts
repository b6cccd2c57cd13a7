import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { withProgress } from '../api/src/ops/progress.ts';
import { chromiumPath, ensureChromium, ensureFirefox, ensureWebKits } from '../tools/machine/browsers.ts';
import { ensureCompilers, hasCompilers } from '../tools/machine/compilers.ts';
import { ensurePackages } from '../tools/machine/ensure-installed.ts';
import { ensureInterpreters } from '../tools/machine/interpreters.ts';
import { lock } from '../tools/machine/lock.ts';
import { ensurePostgres, postgresPrograms, startPostgres } from '../tools/machine/postgres.ts';
import { runAndKeep } from '../tools/machine/run.ts';
import { withoutSettings } from '../tools/machine/without-settings.ts';
import { FURTHER_JOURNEYS } from '../tools/test-run/further-journeys.ts';

/** Linux keeps what is written there in memory. */
const MEMORY = '/dev/shm';

/** The reports of the test runners, from which the counts are read. */
const VITEST_REPORT = 'test-results/vitest.json';
const PLAYWRIGHT_REPORT = 'test-results/playwright.json';

/** One command of a test run. */
interface Part {
  name: string;
  /** What the launcher gets: a tool and its arguments. */
  script: readonly string[];
  isBeside?: boolean;
  isLowPriority?: boolean;
  /** Whether this machine cannot run it. */
  isLeftOut?: () => boolean;
  /** How its output says that tests have ended. A script without it shows its progress itself, in lines. */
  counts?: RegExp;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
}

/** The long counts and the full matrix of journeys are for `npm run soak` by itself. */
const SHORT_SOAK =
  '--no-matrix --each-once --tries 200 --kills 2 --starts 1 --purchases 90 --checkout-kills 1 --publications 1'.split(
    ' ',
  );

/** How the test runners say that tests have ended: one line for each file, or for each journey. */
const COUNTS = { unit: /\((\d+) tests?\b/g, e2e: /^ +[✓✘] /gm };

/** It computes only while the others wait: for disks, timeouts, advertisers. */
const CHECK: Part = { name: 'check', script: ['check'], isBeside: true, isLowPriority: true };

/** What runs, in this order; parts of one row run at once. `npm test -- units` runs the part with this name alone. */
const ROWS: readonly Part[][] = [
  [{ name: 'build', script: ['build'] }],
  [{ name: 'units', script: ['vitest', 'run'], counts: COUNTS.unit }],
  // Alone: its honest players are refused where advertisers or databases get too little time to answer.
  [{ name: 'attack', script: ['soak', ...SHORT_SOAK] }],
  [
    // Each of the usual events once. It needs PostgreSQL, which `.ci/run` installs.
    { name: 'cluster', script: ['soak', 'cluster', '--short', '--rounds', '1'], isLeftOut: () => !postgresPrograms() },
    { name: 'samples', script: ['soak', 'samples', '--each-once', '--chaos', '50'], isBeside: true },
    { name: 'compatibility', script: ['compatibility', '--short'], isBeside: true },
  ],
  [{ name: 'journeys', script: ['playwright', 'test', '--grep-invert', FURTHER_JOURNEYS], counts: COUNTS.e2e }],
];

const { positionals: names } = parseArgs({ allowPositionals: true });
const known = [CHECK, ...ROWS.flat()].map(({ name }) => name);
const unknown = names.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`No part of the tests is called ${unknown}. There are ${known.join(', ')}.`);
  process.exit(1);
}

await ensureChromium();
await ensureFirefox();
await ensureWebKits();
await ensureInterpreters();
await ensurePackages('bubblewrap', 'haproxy', 'nginx-light');
// A gigabyte of compilers, and a database server, are asked of the machine of a CI, not of each developer's.
if (process.env['CI']) {
  await ensureCompilers();
  await ensurePostgres();
} else if (!hasCompilers())
  console.log('Of Go, Java and Kotlin not all are installed; samples are played in the others.');
const lacking = ROWS.flat().find(({ name, isLeftOut }) => names.includes(name) && isLeftOut?.());
if (lacking) {
  console.error(`The part ${lacking.name} needs PostgreSQL, which is not installed.`);
  process.exit(1);
}
if (!postgresPrograms()) console.log('PostgreSQL is not installed, so no cluster is played.');
// Both would write the same reports.
const unlock = await lock('testing');
rmSync('test-results', { recursive: true, force: true });
const scratch = makeScratch();
process.env['TMPDIR'] = scratch;

// The tests use the PostgreSQL server that TEST_DATABASE_URL names, or a new one if PostgreSQL is installed.
const { TEST_DATABASE_URL } = process.env;
const postgres = !TEST_DATABASE_URL && postgresPrograms() ? await startPostgres({ isDurable: false }) : undefined;
const url = postgres?.url ?? TEST_DATABASE_URL;
const env = {
  ...withoutSettings(),
  CHROMIUM: chromiumPath(),
  MAIN_JOURNEYS: '1',
  // A server's first start renders all pages, for some seconds. So many start here that they share what they render.
  RENDERED_DIR: resolve('test-results/rendered'),
  ...(url && { TEST_DATABASE_URL: url }),
};
const failed: { name: string; lastLines: string[] }[] = [];

const isWanted = ({ name, isLeftOut }: Part) =>
  !isLeftOut?.() && (names.length === 0 || name === 'build' || names.includes(name));
let check: Promise<boolean> | undefined;
for (const row of ROWS) {
  const verdicts = await Promise.all(row.filter(isWanted).map(run));
  if (row !== ROWS[0]) continue;
  if (!verdicts.every(Boolean)) break;
  check = isWanted(CHECK) ? run(CHECK) : undefined;
}
await check;

await postgres?.stop();
rmSync(scratch, { recursive: true, force: true });
printResults();
unlock();
process.exit(failed.length === 0 ? 0 : 1);

/** Runs a part, and prints whether it succeeded and how long it took. Returns whether it succeeded. */
async function run({ name, script, counts, isBeside = false, isLowPriority = false }: Part): Promise<boolean> {
  const startedAt = Date.now();
  console.log(`\n${name} …`);
  let ended = 0;
  const read = (text: string) => {
    for (const [, tests = '1'] of counts ? stripVTControlCharacters(text).matchAll(counts) : []) ended += Number(tests);
  };
  // Not by npm, which would live on without this process.
  const runScript = () =>
    runAndKeep(process.execPath, ['scripts/launch.mjs', ...script], { env, read, isBeside, isLowPriority });
  const { isOk, lastLines } = await (counts || process.stderr.isTTY
    ? withProgress(name, runScript, () => (counts ? `${ended} tests` : ''))
    : runScript());
  if (!isOk) failed.push({ name, lastLines });
  console.log(`${name}: ${isOk ? 'ok' : 'failed'} after ${Math.round((Date.now() - startedAt) / 1000)} s`);
  return isOk;
}

/** Prints what failed and how many tests passed. */
function printResults(): void {
  const vitest = readReport(VITEST_REPORT) as { numPassedTests: number; numFailedTests: number } | undefined;
  const playwright = readReport(PLAYWRIGHT_REPORT) as PlaywrightReport | undefined;
  const passedCount = (vitest?.numPassedTests ?? 0) + (playwright?.stats.expected ?? 0);
  const failedCount =
    (vitest?.numFailedTests ?? 0) + (playwright ? playwright.stats.unexpected + playwright.stats.flaky : 0);

  // Printed again at the end, where readers of a long log look first.
  for (const { name, lastLines } of failed) console.error(`\nFailed: ${name}\n\n${lastLines.join('\n')}`);
  if (failed.length > 0) console.error(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
  console.log(`\n${passedCount} passed, ${Math.max(failedCount, failed.length)} failed`);
}

/** Undefined when the runner has written none. */
function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Makes the folder for what tests write, in memory where there is room: no test asks what a disk has kept, and databases
 * are created in a tenth of the time. What killed runs have left there is removed.
 */
function makeScratch(): string {
  const parent = hasRoom(MEMORY) ? MEMORY : tmpdir();
  const abandoned = readdirSync(parent).filter((name) => {
    const [, pid] = /^site-test-(\d+)-/.exec(name) ?? [];
    return parent === MEMORY && pid && !existsSync(`/proc/${pid}`);
  });
  for (const name of abandoned)
    try {
      rmSync(join(parent, name), { recursive: true });
    } catch {
      // It is another user's.
    }
  const folder = mkdtempSync(join(parent, `site-test-${process.pid}-`));
  // The user of PostgreSQL has a folder in it.
  chmodSync(folder, 0o711);
  return folder;
}

/** Whether there is room for all that tests write at once. A container has 64 MB in memory. */
function hasRoom(folder: string): boolean {
  // Tests also run programs that they write.
  if (!existsSync(folder) || /^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync('/proc/mounts', 'utf8')))
    return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4 * 1024 ** 3;
}
