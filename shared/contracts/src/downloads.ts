import * as v from 'valibot';

/** What can be downloaded, at `/download/<app>/<platform>`, */
export const DOWNLOAD_APPS = ['v5', 'neo', 'v3', 'companion'] as const;
export type DownloadApp = (typeof DOWNLOAD_APPS)[number];

/** and for which devices. */
export const DOWNLOAD_PLATFORMS = ['android', 'android_vng', 'ios', 'windows'] as const;
export type DownloadPlatform = (typeof DOWNLOAD_PLATFORMS)[number];

const availableSchema = v.object({
  available: v.literal(true),
  version: v.string(),
  bytes: v.number(),
  /** In hexadecimal digits, for whoever wants to check the file. */
  sha256: v.string(),
});
export type AvailableDownload = v.InferOutput<typeof availableSchema>;

/** By app, then by platform; what is not there is not available yet. */
export const downloadsSchema = v.record(v.string(), v.record(v.string(), availableSchema));
export type Downloads = v.InferOutput<typeof downloadsSchema>;
