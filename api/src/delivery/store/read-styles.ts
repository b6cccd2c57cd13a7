import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { findPageWideStyles } from '@app/contracts/page-wide-styles';
import pLimit from 'p-limit';
import type { ReadStyles } from './staged-release.ts';

/** How long all stylesheets of a release may take. Those of the largest libraries take a tenth of a second. */
const PARSE_TIMEOUT_MS = 5000;
const MAX_MEMORY_MB = 256;

/** Less is read at once: it takes less time than a thread takes to start. */
const MAX_INLINE_LENGTH = 50_000;

/** One at a time: whoever may publish could otherwise take every processor. */
const limitConcurrency = pLimit(1);

/** In a thread, because dense ones take seconds, in which the server would answer nobody. Undefined at a limit. */
export function readStylesWithin(mostMs: number): ReadStyles {
  return (sheets) => {
    if (sheets.join('').length < MAX_INLINE_LENGTH)
      return Promise.resolve(sheets.map((css) => findPageWideStyles(css)));
    return limitConcurrency(async () => {
      const thread = new Worker(/* webpackChunkName: "styles" */ new URL('./styles-thread.ts', import.meta.url), {
        workerData: sheets,
        resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
      });
      try {
        const signal = AbortSignal.timeout(mostMs);
        const [found] = (await once(thread, 'message', { signal })) as [Awaited<ReturnType<ReadStyles>>];
        return found;
      } catch (error) {
        if (isLimit(error)) return undefined;
        throw error;
      } finally {
        await thread.terminate();
      }
    });
  };
}

function isLimit(error: unknown): boolean {
  const { name, code } = error as Error & { code?: string };
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY';
}

export const readStylesInThread = readStylesWithin(PARSE_TIMEOUT_MS);
