import { ProviderError, type CallProvider, type ProviderRequest } from '#api/http/call-provider.ts';

/** Calls an advertiser, unless its circuit is open. A reply that `read` makes nothing of is a failure, like none at all. */
export type CallAdvertiser = <Answer>(
  url: URL,
  request: ProviderRequest,
  read: (reply: string) => Answer,
) => Promise<Answer>;

/** Open: no call is made. Half open: one call finds out whether the advertiser is back. */
export type BreakerState = 'closed' | 'half_open' | 'open';

/** How an advertiser has been doing of late, in this process. */
export interface BreakerReading {
  state: BreakerState;
  /** In a row, up to now. */
  failures: number;
  /** When that row began; null when there is none. */
  since: number | null;
  /** The last failure's own words, also when it is over. */
  lastError: string | null;
}

interface BreakerDeps {
  callProvider: CallProvider;
  now: () => number;
  /** How many failures in a row open it. */
  failuresToOpen: number;
  /** How long it stays open. */
  restMs: number;
  /** Hears when it opens, and when it closes again. */
  onChange: (state: 'open' | 'closed') => void;
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** Leaves an advertiser alone that keeps failing, so that no visitor waits for it in vain. */
export function createCircuitBreaker({ callProvider, now, failuresToOpen, restMs, onChange }: BreakerDeps) {
  let failures = 0;
  let since: number | null = null;
  let lastError: string | null = null;
  let openedAt: number | undefined;
  let isProbing = false;

  function state(): BreakerState {
    if (openedAt === undefined) return 'closed';
    return now() < openedAt + restMs ? 'open' : 'half_open';
  }

  function succeed(): void {
    if (openedAt !== undefined) onChange('closed');
    failures = 0;
    since = null;
    openedAt = undefined;
  }

  function fail(error: unknown, isProbe: boolean): void {
    failures += 1;
    since ??= now();
    lastError = error instanceof Error ? error.message : String(error);

    const opens = openedAt === undefined && failures >= failuresToOpen;
    if (opens) onChange('open');
    if (opens || isProbe) openedAt = now();
  }

  const call: CallAdvertiser = async (url, request, read) => {
    const found = state();
    if (found === 'open' || isProbing)
      throw new ProviderError(`the circuit of ${url.host} is open`, { failure: 'unreached' });

    const isProbe = found === 'half_open';
    isProbing = isProbe;
    try {
      const answer = read(await callProvider(url, request));
      // An answer to a question from before it opened says nothing about now.
      if (isProbe || openedAt === undefined) succeed();
      return answer;
    } catch (error) {
      fail(error, isProbe);
      throw error;
    } finally {
      if (isProbe) isProbing = false;
    }
  };

  return {
    call,
    isOpen: () => state() === 'open',
    read: (): BreakerReading => ({ state: state(), failures, since, lastError }),
  };
}
