import type { DownloadPlatform } from '@app/contracts/downloads';
import { fetchContent, useQuery } from '@app/platform';
import { t } from '../../words.ts';

export type StatusApp = 'v5' | 'neo';
/** The platforms whose state an operator tells. */
export type StatusPlatform = Exclude<DownloadPlatform, 'windows'>;

export interface DownloadStatus {
  badge: string;
  isUpdating: boolean;
  /** The version of the game platform that the build fits; blank while it is not known. */
  version: string;
}

const FILES: Record<StatusPlatform, string> = { android: 'android', android_vng: 'vng', ios: 'ios' };

export function defaultStatus(app: StatusApp): DownloadStatus {
  return { badge: t(`downloads.status.${app}`), isUpdating: false, version: '' };
}

/** What an operator tells of a build. The default stands until the text is there, and where there is none. */
export function useDownloadStatus(app: StatusApp, platform: StatusPlatform): DownloadStatus {
  const file = `${app}-${FILES[platform]}.txt`;
  const { data } = useQuery(file, (signal) => fetchContent(file, signal));

  return data === undefined ? defaultStatus(app) : readStatus(app, data);
}

/** A text with "updat" in it says that the build is behind; any other is the version it fits. */
export function readStatus(app: StatusApp, text: string): DownloadStatus {
  if (/updat/i.test(text)) return { badge: t('downloads.status.updating'), isUpdating: true, version: '' };

  return { ...defaultStatus(app), version: text.trim() };
}
