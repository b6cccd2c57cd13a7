import {
  ProviderError,
  type CallProvider,
  type ProviderFailure,
  type ProviderRequest,
} from '#api/foundation/http/call-provider.ts';

/**
 * Calls an advertiser, unless its circuit is open. A reply that `read` cannot read counts as a failure, like no reply.
 * @throws ProviderError when the circuit is open, or the call failed
 */
export type CallAdvertiser = <Answer>(
  url: URL,
  request: ProviderRequest,
  read: (reply: string) => Answer,
) => Promise<Answer>;

/** Open: no call is made. Half open: one call finds out whether the advertiser is back. */
export type BreakerState = 'closed' | 'half_open' | 'open';

/** The state of one advertiser's circuit in this process. */
export interface BreakerReading {
  state: BreakerState;
  /** How many calls failed in a row, up to now. */
  failures: number;
  /** When the first of them failed, in epoch milliseconds; null when there is none. */
  since: number | null;
  /** The message of the last failure, even when calls succeed again. */
  lastError: string | null;
}

interface BreakerDeps {
  callProvider: CallProvider;
  now: () => number;
  /** After how many failures in a row the circuit opens. */
  failuresToOpen: number;
  /** How long it stays open, in milliseconds. */
  restMs: number;
  /** Called after each call that was made, with how it ended and how many seconds it took. */
  onCall?: (outcome: 'answered' | ProviderFailure, seconds: number) => void;
  /** Called when it opens, and when it closes again. */
  onChange: (state: 'open' | 'closed') => void;
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** Creates a circuit breaker: it stops calls to an advertiser that keeps failing, so that no visitor waits for it. */
export function createCircuitBreaker({ callProvider, now, failuresToOpen, restMs, onCall, onChange }: BreakerDeps) {
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
    const begunAt = performance.now();
    const note = (outcome: 'answered' | ProviderFailure) => onCall?.(outcome, (performance.now() - begunAt) / 1000);
    try {
      const answer = read(await callProvider(url, request));
      note('answered');
      // A call that began before the circuit opened says nothing about the present.
      if (isProbe || openedAt === undefined) succeed();
      return answer;
    } catch (error) {
      note(error instanceof ProviderError ? error.failure : 'unfit');
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
