import type { AvailableDownload, DownloadApp, DownloadPlatform } from '@app/contracts/downloads';
import { afterFirstPaint, callApi, useQuery } from '@app/platform';

/** The file of an app for a platform, or `none`. `unknown` until the server has answered, and when it fails. */
export type Availability = AvailableDownload | 'none' | 'unknown';

export type FindDownload = (app: DownloadApp, platform: DownloadPlatform) => Availability;

/** Loads the list of downloads once. Returns a function that looks up a file in it. */
export function useDownloads(): FindDownload {
  const { data } = useQuery('/api/downloads', async (signal) => {
    // No first screen needs the list, or the schema that validates it.
    await afterFirstPaint();
    const { downloadsSchema } = await import('@app/contracts/downloads');
    return callApi(downloadsSchema, '/api/downloads', { signal });
  });

  return (app, platform) => (data ? (data[app]?.[platform] ?? 'none') : 'unknown');
}
