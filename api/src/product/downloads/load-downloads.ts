import type { Env } from '#api/foundation/settings/env.ts';
import { readNamedFile } from '#api/foundation/settings/read-json.ts';
import { NO_DOWNLOADS, parseDownloadsSettings, type DownloadsSettings } from './downloads-settings.ts';

/**
 * Reads the downloads from the settings. Without a file a development machine has demo files, and production has no
 * downloads.
 * @throws EnvError that names the setting, when its file is unusable
 */
export function loadDownloads({
  DOWNLOADS_FILE,
  NODE_ENV,
}: Pick<Env, 'DOWNLOADS_FILE' | 'NODE_ENV'>): DownloadsSettings | 'demo' {
  if (DOWNLOADS_FILE !== undefined) return readNamedFile('DOWNLOADS_FILE', DOWNLOADS_FILE, parseDownloadsSettings);

  return NODE_ENV === 'production' ? NO_DOWNLOADS : 'demo';
}
