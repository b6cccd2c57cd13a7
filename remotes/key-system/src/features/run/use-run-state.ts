import type { RunState } from '@app/contracts/key-system-schemas';
import type { AppId } from '@app/contracts/key-system';
import { ApiError, fetchJson, useQuery, withQuery, type Query } from '@app/platform';
import { refusalOf } from './refusals.ts';

export type RunReading =
  | { status: 'loading' }
  | {
      status: 'failed';
      /** Whether the server answered, so that the visitor's connection is not to blame. */
      isReached: boolean;
      /** Whether the link of the app itself is unusable, so that another try would fail too. */
      isRefused: boolean;
      isLimited: boolean;
      /** What happened: our words, or else the server's; empty when there are none. */
      words: string;
      /** When to try again, in epoch milliseconds by this device's clock; undefined if the server did not say. */
      retryAt: number | undefined;
    }
  | {
      status: 'ready';
      state: RunState;
      /** The server's clock minus this device's, in milliseconds. */
      serverOffsetMs: number;
    };

interface RunQuery {
  app: AppId;
  hwid: string | undefined;
  zone: string | undefined;
}

/**
 * Reads the state of a run from the server, and again whenever the visitor comes back to the page. Without a device it
 * asks nothing and stays `loading`. When a later reading fails, the earlier one stays.
 */
export function useRunState({ app, hwid, zone }: RunQuery): { reading: RunReading; refetch: () => void } {
  const path = withQuery('/api/keysystem/state', { hwid, app, zone });
  const query = useQuery(hwid && path, (signal) => readRun(path, signal), { onReturn: true });

  return { reading: readingOf(query), refetch: query.refetch };
}

function readingOf(query: Query<RunReading>): RunReading {
  if (query.status === 'loading') return { status: 'loading' };
  return query.status === 'ready' ? query.data : failureOf(query.error);
}

async function readRun(path: string, signal: AbortSignal): Promise<RunReading> {
  const state = asRunState(await fetchJson(path, { signal }));
  return { status: 'ready', state, serverOffsetMs: state.now - Date.now() };
}

/**
 * The site's own server wrote it, by its schema. A check by the schema would make every page of a run 1.6 KB larger.
 */
function asRunState(said: unknown): RunState {
  if (typeof said !== 'object' || said === null || !('advertisers' in said))
    throw new TypeError('There is no run state');
  return said as RunState;
}

function failureOf(error: unknown): RunReading {
  if (!(error instanceof ApiError))
    return { status: 'failed', isReached: false, isRefused: false, isLimited: false, words: '', retryAt: undefined };

  return {
    status: 'failed',
    isReached: true,
    isRefused: !error.retryable && error.code !== 'server.unexpected',
    isLimited: error.code === 'KS_LIMIT',
    words: refusalOf(error.code)?.what ?? error.message,
    retryAt: error.retryAt,
  };
}
