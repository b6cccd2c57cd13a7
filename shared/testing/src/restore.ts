import { afterEach, vi } from 'vitest';

// Test files share a process, so what a test has replaced would be there in the next file. Spies first: restored after
// the clock, one that was put on a fake timer brings that timer back, and nothing waits any more.
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
