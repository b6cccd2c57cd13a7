import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { withProgress } from '../api/src/ops/progress.ts';
import { chromiumPath, ensureChromium } from '../tools/machine/chromium.ts';
import { ensureBubblewrap, ensureNginx } from '../tools/machine/ensure-installed.ts';
import { ensureInterpreters } from '../tools/machine/interpreters.ts';
import { postgresPrograms, startPostgres } from '../tools/machine/postgres.ts';
import { FURTHER_JOURNEYS } from '../tools/test-run/further-journeys.ts';
import { runAndKeep } from '../tools/machine/run.ts';

/** The reports of the test runners, from which the counts are read. */
const VITEST_REPORT = 'test-results/vitest.json';
const PLAYWRIGHT_REPORT = 'test-results/playwright.json';

/** A whole cluster, each of its usual events once. The others are for `npm run soak -- cluster` by itself. */
const SHORT_CLUSTER = ['cluster', '--short', '--rounds', '1'];

/** The long counts and the full matrix of journeys are for `npm run soak` by itself. */
const SHORT_SOAK =
  '--no-matrix --each-once --tries 300 --kills 2 --starts 1 --purchases 90 --till-kills 1 --publications 1 --renderers 0 --rounds 1 --requests 4000'.split(
    ' ',
  );

await ensureChromium();
await ensureInterpreters();
await ensureNginx();
await ensureBubblewrap();
// A cluster also needs PostgreSQL, which `.ci/run` installs.
const hasCluster = postgresPrograms() !== undefined;
if (!hasCluster) console.log('PostgreSQL is not installed, so no cluster is played.');
rmSync('test-results', { recursive: true, force: true });

// The tests use the PostgreSQL server that TEST_DATABASE_URL names, or a new one if PostgreSQL is installed.
const postgres =
  !process.env['TEST_DATABASE_URL'] && postgresPrograms() ? await startPostgres({ isDurable: false }) : undefined;
const env = {
  ...process.env,
  CHROMIUM: chromiumPath(),
  // A server's first start renders all pages, for some seconds. So many start here that they share what they render.
  RENDERED_DIR: resolve('test-results/rendered'),
  ...(postgres && { TEST_DATABASE_URL: postgres.url }),
};

/** How the test runners say that tests have ended: one line for each file, or for each journey. */
const COUNTS = { unit: /\((\d+) tests?\b/g, e2e: /^ +[✓✘] /gm };

const failed: { title: string; lastLines: string[] }[] = [];
if (await part('Build', ['build'])) {
  // The check computes only while the others wait: for disks, timeouts, advertisers.
  const check = part('Types, lint, boundaries', ['check'], { isBeside: true, isPatient: true });
  await part('Units and API', ['unit'], { counts: COUNTS.unit });
  // Alone: its honest players are refused where advertisers or databases get too little time to answer.
  await part('Attacks and crashes', ['soak', '--', ...SHORT_SOAK]);
  if (hasCluster) await part('A cluster', ['soak', '--', ...SHORT_CLUSTER]);
  await part('Journeys in the browser', ['e2e', '--', '--grep-invert', FURTHER_JOURNEYS], { counts: COUNTS.e2e });
  await check;
}

await postgres?.stop();

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
}

const vitest = readReport(VITEST_REPORT) as VitestReport | undefined;
const playwright = readReport(PLAYWRIGHT_REPORT) as PlaywrightReport | undefined;
const passedCount = (vitest?.numPassedTests ?? 0) + (playwright?.stats.expected ?? 0);
const failedCount =
  (vitest?.numFailedTests ?? 0) + (playwright ? playwright.stats.unexpected + playwright.stats.flaky : 0);

// Printed again at the end, where readers of a long log look first.
for (const { title, lastLines } of failed) console.error(`\nFailed: ${title}\n\n${lastLines.join('\n')}`);
if (failed.length > 0) console.error(`\nFailed: ${failed.map(({ title }) => title).join(', ')}`);
console.log(`\n${passedCount} passed, ${Math.max(failedCount, failed.length)} failed`);
process.exit(failed.length > 0 ? 1 : 0);

/**
 * Runs one npm script and prints whether it succeeded and how long it took.
 * @param options see `runAndKeep`; and how its output says that tests have ended. A script without shows its progress
 *   itself, in lines.
 */
async function part(
  title: string,
  script: string[],
  { counts, ...options }: Parameters<typeof runAndKeep>[2] & { counts?: RegExp } = {},
): Promise<boolean> {
  const startedAt = Date.now();
  console.log(`\n${title} …`);
  let ended = 0;
  const read = (text: string) => {
    for (const [, tests = '1'] of counts ? stripVTControlCharacters(text).matchAll(counts) : []) ended += Number(tests);
  };
  const runScript = () => runAndKeep('npm', ['run', '--silent', ...script], { env, read, ...options });
  const { isOk, lastLines } = await (counts || process.stderr.isTTY
    ? withProgress(title, runScript, () => (counts ? `${ended} tests` : ''))
    : runScript());
  if (!isOk) failed.push({ title, lastLines });
  console.log(`${title}: ${isOk ? 'ok' : 'failed'} after ${Math.round((Date.now() - startedAt) / 1000)} s`);
  return isOk;
}

/** Reads the report of a test runner. Undefined when the runner has written none. */
function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
