import * as v from 'valibot';

/** The apps in the address of a download, `/download/<app>/<platform>`. */
export const DOWNLOAD_APPS = ['v5', 'neo', 'v3', 'companion'] as const;
export type DownloadApp = (typeof DOWNLOAD_APPS)[number];

export const DOWNLOAD_PLATFORMS = ['android', 'android_vng', 'ios', 'windows'] as const;
export type DownloadPlatform = (typeof DOWNLOAD_PLATFORMS)[number];

const availableDownloadSchema = v.object({
  available: v.literal(true),
  version: v.string(),
  bytes: v.number(),
  /** The hash of the file in hexadecimal digits, for visitors who check it. */
  sha256: v.string(),
});
export type AvailableDownload = v.InferOutput<typeof availableDownloadSchema>;

/** The files by app, then by platform. A file that is missing is not available yet. */
export const downloadsSchema = v.record(v.string(), v.record(v.string(), availableDownloadSchema));
export type Downloads = v.InferOutput<typeof downloadsSchema>;
