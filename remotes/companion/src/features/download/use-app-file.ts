import { downloadsSchema, type AvailableDownload } from '@app/contracts/downloads';
import { ApiError, callApi, useQuery } from '@app/platform';

/** The address of the app's file. */
export const FILE_PATH = '/download/companion/android';

/**
 * Whether the app's file can be downloaded. `checking` until the server has answered; `isReached` tells its fault from one
 * of the connection.
 */
export type AppFile =
  | { status: 'checking' }
  | { status: 'none' }
  | { status: 'failed'; isReached: boolean }
  | { status: 'there'; file: AvailableDownload };

/** Asks the server once whether there is a file, and again on `retry`. */
export function useAppFile(): { appFile: AppFile; retry: () => void } {
  const { status, data, error, isFetching, refetch } = useQuery('/api/downloads', (signal) =>
    callApi(downloadsSchema, '/api/downloads', { signal }),
  );

  return { appFile: readAppFile(), retry: refetch };

  function readAppFile(): AppFile {
    if (status === 'failed' && !isFetching) return { status, isReached: error instanceof ApiError };
    if (status !== 'ready') return { status: 'checking' };

    const file = data['companion']?.['android'];
    return file ? { status: 'there', file } : { status: 'none' };
  }
}
