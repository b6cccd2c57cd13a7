import type { Logger } from 'pino';

/**
 * Makes a function that does work again and again, whose failures are expected to end by themselves. Of several in a row
 * it logs the first one, and the success after them. It never throws.
 */
export function createOutageLog(log: Logger, said: { away: string; back: string }) {
  let isAway = false;

  return async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (isAway) log.info(said.back);
      isAway = false;
    } catch (err) {
      if (!isAway) log.warn({ err }, said.away);
      isAway = true;
    }
  };
}
