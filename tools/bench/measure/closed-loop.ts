import autocannon, { type Request } from 'autocannon';

/** How often it looks whether the time is over; milliseconds. */
const LOOKS_MS = 20;

export interface Load {
  answers: number;
  perSecond: number;
  /** Time until 99 of 100 requests had their answer. */
  p99Ms: number;
}

/**
 * Asks a server for so long, over several connections. Each sends its next request when the one before is answered.
 * Rejects unless every answer is 2xx.
 * @param requests what is asked in turns; each connection begins with another one
 */
export async function loadFor(
  seconds: number,
  url: string,
  requests: readonly Request[],
  connections = 8,
): Promise<Load> {
  let opened = 0;
  // The result has whole milliseconds only.
  const times: number[] = [];
  const { duration, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: LOOKS_MS,
    setupClient(client) {
      const first = Math.floor((opened++ * requests.length) / connections);
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
      client.on('response', (_status, _bytes, ms) => times.push(ms));
    },
  });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, and ${errors} did not come`);

  times.sort((one, other) => one - other);
  return {
    answers: times.length,
    perSecond: times.length / duration,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? NaN,
  };
}
