import { downloadsSchema, type AvailableDownload } from '@app/contracts/downloads';
import { callApi } from '@app/platform';
import { useCallback, useEffect, useState } from 'react';

/** Where the file is. */
export const DOWNLOAD_PATH = '/download/companion/android';

/** What is known of the file: whether it can be had is the server's word, so at first nothing is known. */
export type Download =
  { status: 'checking' } | { status: 'none' } | { status: 'failed' } | { status: 'there'; file: AvailableDownload };

/** Asks the server once whether there is a file, and again on `retry`. */
export function useDownload(): { download: Download; retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [download, setDownload] = useState<Download>({ status: 'checking' });

  useEffect(() => {
    const leaving = new AbortController();

    findDownload(leaving.signal).then(setDownload, () => {
      if (!leaving.signal.aborted) setDownload({ status: 'failed' });
    });
    return () => leaving.abort();
  }, [attempt]);

  const retry = useCallback(() => {
    setDownload({ status: 'checking' });
    setAttempt((count) => count + 1);
  }, []);

  return { download, retry };
}

async function findDownload(signal: AbortSignal): Promise<Download> {
  const downloads = await callApi(downloadsSchema, '/api/downloads', { signal });
  const file = downloads['companion']?.['android'];

  return file ? { status: 'there', file } : { status: 'none' };
}
