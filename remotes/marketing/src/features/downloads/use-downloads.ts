import type { AvailableDownload, DownloadApp, DownloadPlatform } from '@app/contracts/downloads';
import { afterFirstPaint, callApi, fetchContent, useQuery } from '@app/platform';
import { t } from '../../words.ts';

/** The file of an app for a platform, or `none`. `unknown` until the server has answered, and when it fails. */
export type Availability = AvailableDownload | 'none' | 'unknown';

export type FindDownload = (app: DownloadApp, platform: DownloadPlatform) => Availability;

export function useDownloads(): FindDownload {
  const { data } = useQuery('/api/downloads', async (signal) => {
    // No first screen needs the list, or the schema that validates it.
    await afterFirstPaint();
    const { downloadsSchema } = await import('@app/contracts/downloads');
    return callApi(downloadsSchema, '/api/downloads', { signal });
  });

  return (app, platform) => (data ? (data[app]?.[platform] ?? 'none') : 'unknown');
}

export type StatusApp = 'v5' | 'neo';
/** The platforms whose status operators write into content files. */
export type StatusPlatform = Exclude<DownloadPlatform, 'windows'>;

interface DownloadStatus {
  badge: string;
  isUpdating: boolean;
  /** The version of the game platform that the build supports; empty while it is unknown. */
  version: string;
}

const STATUS_FILES: Record<StatusPlatform, string> = { android: 'android', android_vng: 'vng', ios: 'ios' };

/** The status of a build while its content file is not loaded, or when there is none. */
function defaultStatus(app: StatusApp): DownloadStatus {
  return { badge: t(`downloads.status.${app}`), isUpdating: false, version: '' };
}

export function useDownloadStatus(app: StatusApp, platform: StatusPlatform): DownloadStatus {
  const file = `${app}-${STATUS_FILES[platform]}.txt`;
  const { data } = useQuery(file, (signal) => fetchContent(file, signal));

  return data === undefined ? defaultStatus(app) : readStatus(app, data);
}

/** Reads a content file. A text that contains "updat" means that the build is being updated; any other is a version. */
export function readStatus(app: StatusApp, text: string): DownloadStatus {
  if (/updat/i.test(text)) return { badge: t('downloads.status.updating'), isUpdating: true, version: '' };

  return { ...defaultStatus(app), version: text.trim() };
}
