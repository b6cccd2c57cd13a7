import { downloadsSchema, type AvailableDownload } from '@app/contracts/downloads';
import { ApiError, callApi, useQuery } from '@app/platform';

export const FILE_PATH = '/download/companion/android';

/** `isReached` tells a fault of the server from one of the connection. */
export type AppFile =
  | { status: 'checking' }
  | { status: 'none' }
  | { status: 'failed'; isReached: boolean }
  | { status: 'there'; file: AvailableDownload };

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
