import { isTimeout } from '@app/platform';

/** How often a failed call is repeated, and the pause before each repetition. */
const RETRIES = 2;
const PAUSE_MS = 1000;

/**
 * Calls a function again when it fails, for loading over a bad connection. What came too late was asked for twice.
 * @throws the error of the last try
 */
export async function withRetries<Result>(act: () => Promise<Result>, retries = RETRIES): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (retries === 0 || isTimeout(error)) throw error;

    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return withRetries(act, retries - 1);
  }
}
