import { DOWNLOAD_APPS, DOWNLOAD_PLATFORMS, type AvailableDownload, type Downloads } from '@app/contracts/downloads';
import { isListed, type DownloadSetting, type DownloadsSettings } from './downloads-settings.ts';

export type DownloadsService = ReturnType<typeof createDownloadsService>;

export function createDownloadsService(settings: () => DownloadsSettings) {
  return {
    /** Where a download leads; undefined when there is none, or none that visitors may be sent to. */
    findUrl(appName: string, platformName: string): string | undefined {
      const app = DOWNLOAD_APPS.find((candidate) => candidate === appName);
      const platform = DOWNLOAD_PLATFORMS.find((candidate) => candidate === platformName);
      const current = settings();
      const url = app && platform && current.downloads[app]?.[platform]?.url;

      return url !== undefined && isListed(current, url) ? url : undefined;
    },

    /** Everything that can be downloaded, without the addresses: a visitor gets there by our own link. */
    list(): Downloads {
      return mapMembers(settings().downloads, (platforms) => mapMembers(platforms, presentDownload));
    },
  };
}

function presentDownload({ version, bytes, sha256 }: DownloadSetting): AvailableDownload {
  return { available: true, version, bytes, sha256 };
}

/** The object with each member that is there changed, and those that are not left out. */
function mapMembers<From, To>(
  members: Readonly<Record<string, From | undefined>>,
  change: (member: From) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => (member === undefined ? [] : [[name, change(member)]])),
  );
}
