import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { startPostgres } from '../tools/machine/postgres.ts';

/** The percentage of mutations that the tests have to notice. */
const LEAST_PERCENT = 90;

/**
 * npm run mutate -- <files or patterns> [--tests <file or pattern>]… [--postgres]
 * Makes small changes (mutations) in a copy of these files, one at a time, and checks whether a test fails. Lists the
 * mutations that no test noticed. A file may have a range of lines: `zones.ts:10-20`. Without `--tests`, all tests that
 * import the files run; for code of the API these are nearly all of its tests. The tests run only on SQLite, which
 * takes half the time; with `--postgres` they run on both databases.
 */
const { values, positionals: files } = parseArgs({
  options: { tests: { type: 'string', multiple: true }, postgres: { type: 'boolean' } },
  allowPositionals: true,
});
if (files.length === 0) {
  console.error('Which files? npm run mutate -- api/src/product/key-system/zones.ts');
  process.exit(1);
}

const postgres = values.postgres ? await startPostgres({ isDurable: false }) : undefined;
process.env['TEST_DATABASE_URL'] = postgres?.url ?? '';

const stryker = new Stryker({
  mutate: files,
  plugins: ['@stryker-mutator/vitest-runner'],
  ...(values.tests && { testFiles: values.tests }),
  testRunner: 'vitest',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  incremental: false,
  dryRunTimeoutMinutes: 30,
  // A test that is slow on a busy machine is no test that noticed.
  timeoutMS: 30_000,
  tempDirName: join(tmpdir(), 'mutate'),
  ignorePatterns: ['/dist', '/var', '/test-results', '/docs/*.png'],
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { reportTests: false, skipFull: true },
  thresholds: { high: 100, low: LEAST_PERCENT, break: LEAST_PERCENT },
  allowEmpty: false,
});
try {
  await stryker.runMutationTest();
} finally {
  await postgres?.stop();
}
