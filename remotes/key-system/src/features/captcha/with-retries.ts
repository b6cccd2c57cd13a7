/** How often loading the captcha is tried again, and how long after, in milliseconds. */
const RETRIES = 2;
const PAUSE_MS = 1000;

/** Does what may fail on a bad line up to three times; the last failure counts. */
export async function withRetries<Result>(act: () => Promise<Result>, retries = RETRIES): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (retries === 0) throw error;

    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return withRetries(act, retries - 1);
  }
}
