import type { AvailableDownload, DownloadApp, DownloadPlatform } from '@app/contracts/downloads';
import { afterFirstPaint, callApi, useQuery } from '@app/platform';

/** What there is of an app for a platform; `unknown` until the server has said so, or when it cannot. */
export type Availability = AvailableDownload | 'none' | 'unknown';

export type FindDownload = (app: DownloadApp, platform: DownloadPlatform) => Availability;

/** What can be downloaded, asked for once. */
export function useDownloads(): FindDownload {
  const { data } = useQuery('/api/downloads', async (signal) => {
    // Nothing on a first screen needs the list, nor the schema that reads it.
    await afterFirstPaint();
    const { downloadsSchema } = await import('@app/contracts/downloads');
    return callApi(downloadsSchema, '/api/downloads', { signal });
  });

  return (app, platform) => (data ? (data[app]?.[platform] ?? 'none') : 'unknown');
}
