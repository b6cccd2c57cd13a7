import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { withProgress } from '../../api/src/ops/progress.ts';
import { runAndKeep } from '../machine/run.ts';

/** The reports of the test runners, from which the counts are read. */
const VITEST_REPORT = 'test-results/vitest.json';
const PLAYWRIGHT_REPORT = 'test-results/playwright.json';

const LAUNCHER = 'scripts/launch.mjs';

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
}

/** One command of a test run. */
export interface Part {
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

/**
 * Runs the parts of one test run.
 * @param env the environment variables of each
 */
export function openTestRun(env: NodeJS.ProcessEnv) {
  const failed: { name: string; lastLines: string[] }[] = [];

  return {
    /** Runs a part, and prints whether it succeeded and how long it took. Returns whether it succeeded. */
    run: async ({ name, script, counts, isBeside = false, isLowPriority = false }: Part): Promise<boolean> => {
      const startedAt = Date.now();
      console.log(`\n${name} …`);
      let ended = 0;
      const read = (text: string) => {
        for (const [, tests = '1'] of counts ? stripVTControlCharacters(text).matchAll(counts) : [])
          ended += Number(tests);
      };
      // Not by npm, which would live on without this process.
      const runScript = () =>
        runAndKeep(process.execPath, [LAUNCHER, ...script], { env, read, isBeside, isLowPriority });
      const { isOk, lastLines } = await (counts || process.stderr.isTTY
        ? withProgress(name, runScript, () => (counts ? `${ended} tests` : ''))
        : runScript());
      if (!isOk) failed.push({ name, lastLines });
      console.log(`${name}: ${isOk ? 'ok' : 'failed'} after ${Math.round((Date.now() - startedAt) / 1000)} s`);
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
      for (const { name, lastLines } of failed) console.error(`\nFailed: ${name}\n\n${lastLines.join('\n')}`);
      if (failed.length > 0) console.error(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
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
