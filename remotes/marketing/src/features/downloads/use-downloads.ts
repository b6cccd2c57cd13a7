import type { AvailableDownload, DownloadApp, DownloadPlatform, Downloads } from '@app/contracts/downloads';
import { afterFirstPaint } from '@app/platform';
import { useLoaded } from '../../use-loaded.ts';

/** What there is of an app for a platform; `unknown` until the server has said so, or when it cannot. */
export type Availability = AvailableDownload | 'none' | 'unknown';

export type FindDownload = (app: DownloadApp, platform: DownloadPlatform) => Availability;

/** The schema and what reads it come after the page: nothing on a first screen needs them. */
const fetchDownloads = async () => {
  await afterFirstPaint();
  return (await import('./fetch-downloads.ts')).fetchDownloads();
};

/** What can be downloaded, asked for once. */
export function useDownloads(): FindDownload {
  const downloads = useLoaded<Downloads | undefined>(fetchDownloads, undefined);

  return (app, platform) => (downloads ? (downloads[app]?.[platform] ?? 'none') : 'unknown');
}
