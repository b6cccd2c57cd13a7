import { runStateSchema, type RunState } from '@app/contracts/key-system-schemas';
import type { AppId } from '@app/contracts/key-system';
import { ApiError, callApi, useQuery, withQuery, type Query } from '@app/platform';

export type RunReading =
  | { status: 'loading' }
  | {
      status: 'failed';
      /** What the server says is wrong, and that asking again will not change it: the link itself is unusable. */
      isRefused: boolean;
      isLimited: boolean;
      words: string;
      /** When the server wants to be asked again, in milliseconds by this device's clock; undefined where it did not say. */
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
 * The run as the server has it, read again whenever the visitor comes back to the page.
 * Without a device there is nothing to ask, and the reading stays `loading`. What is known stays when a later reading fails.
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
  const state = await callApi(runStateSchema, path, { signal });
  return { status: 'ready', state, serverOffsetMs: state.now - Date.now() };
}

function failureOf(error: unknown): RunReading {
  if (!(error instanceof ApiError))
    return { status: 'failed', isRefused: false, isLimited: false, words: '', retryAt: undefined };

  return {
    status: 'failed',
    isRefused: !error.retryable && error.code !== 'server.unexpected',
    isLimited: error.code === 'KS_LIMIT',
    words: error.message,
    retryAt: error.retryAt,
  };
}
