import { type CallProvider, ProviderError, type ProviderFailure } from '#api/foundation/http/call-provider.ts';
import type { CallAdvertiser } from './advertiser.ts';

interface BreakerDeps {
  callProvider: CallProvider;
  now: () => number;
  /** How many failures in a row open the circuit. */
  failuresToOpen: number;
  /** How long it stays open, in milliseconds. Then it is half open: one call finds out whether the advertiser is back. */
  restMs: number;
  /** Called after each call that was made, with its outcome and how many seconds it took. */
  onCall: (outcome: 'answered' | ProviderFailure, seconds: number) => void;
  onChange: (state: 'open' | 'closed') => void;
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** Creates a circuit breaker: it stops calls to an advertiser that keeps failing, so that no visitor waits for it. */
export function createCircuitBreaker({ callProvider, now, failuresToOpen, restMs, onCall, onChange }: BreakerDeps) {
  let failures = 0;
  let openedAt: number | undefined;
  let isProbing = false;
  const isOpen = () => openedAt !== undefined && now() < openedAt + restMs;

  function succeed(): void {
    if (openedAt !== undefined) onChange('closed');
    failures = 0;
    openedAt = undefined;
  }

  function fail(isProbe: boolean): void {
    failures += 1;
    const opens = openedAt === undefined && failures >= failuresToOpen;
    if (opens) onChange('open');
    if (opens || isProbe) openedAt = now();
  }

  const call: CallAdvertiser = async (url, request, read) => {
    if (isOpen() || isProbing) throw new ProviderError(`the circuit of ${url.host} is open`, { failure: 'unreached' });

    const isProbe = openedAt !== undefined;
    isProbing = isProbe;
    const begunAt = performance.now();
    const note = (outcome: 'answered' | ProviderFailure) => onCall(outcome, (performance.now() - begunAt) / 1000);
    try {
      const answer = read(await callProvider(url, request));
      note('answered');
      // A call that began before the circuit opened says nothing about the present.
      if (isProbe || openedAt === undefined) succeed();
      return answer;
    } catch (error) {
      note(error instanceof ProviderError ? error.failure : 'unfit');
      fail(isProbe);
      throw error;
    } finally {
      if (isProbe) isProbing = false;
    }
  };

  return { call, isOpen };
}
