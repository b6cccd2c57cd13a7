import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { withProgress } from '../../api/src/ops/progress.ts';
import { runAndKeep } from '../machine/run.ts';

/** The reports of the test runners, from which the counts are read. */
const VITEST_REPORT = 'test-results/vitest.json';
const PLAYWRIGHT_REPORT = 'test-results/playwright.json';

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
}

interface PartOptions {
  isBeside?: boolean;
  isLowPriority?: boolean;
  /** How its output says that tests have ended. A script without it shows its progress itself, in lines. */
  counts?: RegExp;
}

/**
 * Runs npm scripts as parts of one test run.
 * @param env the environment variables of each
 */
export function openTestRun(env: NodeJS.ProcessEnv) {
  const failed: { title: string; lastLines: string[] }[] = [];

  return {
    /** Runs one npm script, and prints whether it succeeded and how long it took. Returns whether it succeeded. */
    part: async (
      title: string,
      script: readonly string[],
      { counts, ...options }: PartOptions = {},
    ): Promise<boolean> => {
      const startedAt = Date.now();
      console.log(`\n${title} …`);
      let ended = 0;
      const read = (text: string) => {
        for (const [, tests = '1'] of counts ? stripVTControlCharacters(text).matchAll(counts) : [])
          ended += Number(tests);
      };
      const runScript = () => runAndKeep('npm', ['run', '--silent', ...script], { env, read, ...options });
      const { isOk, lastLines } = await (counts || process.stderr.isTTY
        ? withProgress(title, runScript, () => (counts ? `${ended} tests` : ''))
        : runScript());
      if (!isOk) failed.push({ title, lastLines });
      console.log(`${title}: ${isOk ? 'ok' : 'failed'} after ${Math.round((Date.now() - startedAt) / 1000)} s`);
      return isOk;
    },

    /** Prints what failed and how many tests passed. Returns whether all parts succeeded. */
    finish: (): boolean => {
      const vitest = readReport(VITEST_REPORT) as VitestReport | undefined;
      const playwright = readReport(PLAYWRIGHT_REPORT) as PlaywrightReport | undefined;
      const passedCount = (vitest?.numPassedTests ?? 0) + (playwright?.stats.expected ?? 0);
      const failedCount =
        (vitest?.numFailedTests ?? 0) + (playwright ? playwright.stats.unexpected + playwright.stats.flaky : 0);

      // Printed again at the end, where readers of a long log look first.
      for (const { title, lastLines } of failed) console.error(`\nFailed: ${title}\n\n${lastLines.join('\n')}`);
      if (failed.length > 0) console.error(`\nFailed: ${failed.map(({ title }) => title).join(', ')}`);
      console.log(`\n${passedCount} passed, ${Math.max(failedCount, failed.length)} failed`);
      return failed.length === 0;
    },
  };
}

/** Reads the report of a test runner. Undefined when the runner has written none. */
function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
