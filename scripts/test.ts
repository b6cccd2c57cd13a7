import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromiumPath, ensureChromium } from '../tools/machine/chromium.ts';
import { ensureCompilers, hasCompilers } from '../tools/machine/compilers.ts';
import { ensureBubblewrap, ensureNginx } from '../tools/machine/ensure-installed.ts';
import { ensureFirefox } from '../tools/machine/firefox.ts';
import { ensureInterpreters } from '../tools/machine/interpreters.ts';
import { postgresPrograms, startPostgres } from '../tools/machine/postgres.ts';
import { ensureWebKits } from '../tools/machine/webkit.ts';
import { FURTHER_JOURNEYS } from '../tools/test-run/further-journeys.ts';
import { openTestRun } from '../tools/test-run/run-parts.ts';

/** A whole cluster, each of its usual events once. The others are for `npm run soak -- cluster` by itself. */
const SHORT_CLUSTER = ['cluster', '--short', '--rounds', '1'];

/** The long counts and the full matrix of journeys are for `npm run soak` by itself. */
const SHORT_SOAK =
  '--no-matrix --each-once --tries 300 --kills 2 --starts 1 --purchases 90 --checkout-kills 1 --publications 1 --renderers 0 --rounds 1 --requests 4000 --chaos 50'.split(
    ' ',
  );

/** How the test runners say that tests have ended: one line for each file, or for each journey. */
const COUNTS = { unit: /\((\d+) tests?\b/g, e2e: /^ +[✓✘] /gm };

await ensureChromium();
await ensureFirefox();
await ensureWebKits();
await ensureInterpreters();
await ensureNginx();
await ensureBubblewrap();
// A gigabyte of compilers is asked of the machine of a CI, not of each developer's.
if (process.env['CI']) await ensureCompilers();
else if (!hasCompilers())
  console.log('Of Go, Java, C# and Kotlin not all are installed; samples are played in the others.');
// A cluster also needs PostgreSQL, which `.ci/run` installs.
const hasCluster = postgresPrograms() !== undefined;
if (!hasCluster) console.log('PostgreSQL is not installed, so no cluster is played.');
rmSync('test-results', { recursive: true, force: true });

// The tests use the PostgreSQL server that TEST_DATABASE_URL names, or a new one if PostgreSQL is installed.
const postgres =
  !process.env['TEST_DATABASE_URL'] && hasCluster ? await startPostgres({ isDurable: false }) : undefined;
const { part, finish } = openTestRun({
  ...process.env,
  CHROMIUM: chromiumPath(),
  // A server's first start renders all pages, for some seconds. So many start here that they share what they render.
  RENDERED_DIR: resolve('test-results/rendered'),
  ...(postgres && { TEST_DATABASE_URL: postgres.url }),
});

if (await part('Build', ['build'])) {
  // The check computes only while the others wait: for disks, timeouts, advertisers.
  const check = part('Types, lint, boundaries', ['check'], { isBeside: true, isLowPriority: true });
  await part('Units and API', ['unit'], { counts: COUNTS.unit });
  // Alone: its honest players are refused where advertisers or databases get too little time to answer.
  await part('Attacks and crashes', ['soak', '--', ...SHORT_SOAK]);
  if (hasCluster) await part('A cluster', ['soak', '--', ...SHORT_CLUSTER]);
  await part('Journeys in the browser', ['e2e', '--', '--grep-invert', FURTHER_JOURNEYS], { counts: COUNTS.e2e });
  await check;
}

await postgres?.stop();
process.exit(finish() ? 0 : 1);
