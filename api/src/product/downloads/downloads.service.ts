import { DOWNLOAD_APPS, DOWNLOAD_PLATFORMS, type AvailableDownload, type Downloads } from '@app/contracts/downloads';
import { isListed, type DownloadSetting, type DownloadsSettings } from './downloads-settings.ts';

export type DownloadsService = ReturnType<typeof createDownloadsService>;

/** Finds and lists downloads, as the settings have them. */
export function createDownloadsService(settings: () => DownloadsSettings) {
  return {
    /** The address of a download; undefined when there is none, or when its host is not listed. */
    findUrl(appName: string, platformName: string): string | undefined {
      const app = DOWNLOAD_APPS.find((candidate) => candidate === appName);
      const platform = DOWNLOAD_PLATFORMS.find((candidate) => candidate === platformName);
      const current = settings();
      const url = app && platform && current.downloads[app]?.[platform]?.url;

      return url !== undefined && isListed(current, url) ? url : undefined;
    },

    /** Lists the downloads, without their addresses: visitors use our own link, which redirects. */
    list(): Downloads {
      return mapMembers(settings().downloads, (platforms) => mapMembers(platforms, presentDownload));
    },
  };
}

function presentDownload({ version, bytes, sha256 }: DownloadSetting): AvailableDownload {
  return { available: true, version, bytes, sha256 };
}

/** Applies `change` to each member of an object, and leaves out undefined ones. */
function mapMembers<From, To>(
  members: Readonly<Record<string, From | undefined>>,
  change: (member: From) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => (member === undefined ? [] : [[name, change(member)]])),
  );
}
