import { ERRORS, type ErrorCode } from '@app/contracts/errors';
import type { Problem } from '@app/contracts/problem';
import type { AppId } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { vi } from 'vitest';

/** The moment at which each test begins: noon by the clock of the device. */
export const NOW = new Date(2026, 2, 10, 12).getTime();

export const MINUTE_MS = 60_000;

type Run = NonNullable<RunState['run']>;

/** An open run of this browser; its first steps are done. */
export function run(step: number, changes: Partial<Run> = {}): Run {
  const completed = Array.from({ length: step - 1 }, (_, index) => ({
    step: index + 1,
    advertiser: 'rinku',
    at: NOW,
    proof: 's2s',
  }));
  const standing = {
    step,
    of: 6,
    series: step > 3 ? 2 : 1,
    completed,
    waiting: false,
    zone: 'same',
    own: true,
  } as const;
  return { ...standing, expiresAt: NOW + 90 * MINUTE_MS, ...changes };
}

/** What the server knows of a device: nothing but what is said. */
export function state(changes: Partial<RunState> = {}): RunState {
  return {
    app: 'main' satisfies AppId,
    run: null,
    key: null,
    cooldown: null,
    advertisers: (['linkvertise', 'rinku', 'lootlabs', 'workink'] as const).map((id) => ({ id, ok: true })),
    stepsRequired: 6,
    now: Date.now(),
    ...changes,
  };
}

/** The state as an answer; its clock is the server's at the moment of the answer. */
export function stateResponse(changes: Partial<RunState> = {}): () => Response {
  return () => Response.json(state(changes));
}

/** A refusal, as our API words it. */
export function refused(code: ErrorCode, { retryable = false, retryAfter = '', detail = '' } = {}): () => Response {
  const { status, title } = ERRORS[code];
  const problem: Problem = {
    type: `/errors#${code}`,
    title,
    status,
    ...(detail && { detail }),
    code,
    retryable,
    ref: 'r1',
    now: NOW,
  };
  return () => Response.json(problem, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} });
}

export type Answer = () => Response | Promise<Response>;

/**
 * Answers the browser's calls of our API.
 * @returns `asked`, the addresses of the requests so far, `preferred`, what each of them prefers, and `answer`, which sets what is answered from now on
 */
export function startServer(first: Answer) {
  const asked: string[] = [];
  const preferred: (string | null)[] = [];
  let current = first;
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    // A page asks whether the server is alive before it leaves for it.
    if (address === '/healthz') return new Response();
    // Texts that operators change, such as the trailer, are still on their way.
    if (!address.startsWith('/api/')) return neverAnswer();

    asked.push(address);
    preferred.push(new Headers(init?.headers).get('prefer'));
    return await current();
  });

  return { asked, preferred, answer: (next: Answer) => void (current = next) };
}

/** The line is dead, or the server slow: nothing comes. */
export const neverAnswer: Answer = () => new Promise(() => undefined);

export const failToConnect: Answer = () => Promise.reject(new TypeError('Failed to fetch'));
