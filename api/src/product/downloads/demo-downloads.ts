import { createHash } from 'node:crypto';
import type { DownloadApp, DownloadPlatform } from '@app/contracts/downloads';
import { Router } from 'express';
import type { DownloadsSettings } from './downloads-settings.ts';

const ROOT = '/dev/downloads';
const VERSION = 'demo';

const DEMO: { [app in DownloadApp]: readonly DownloadPlatform[] } = {
  v5: ['android', 'ios', 'android_vng'],
  neo: ['android', 'ios', 'android_vng'],
  v3: ['android'],
  companion: ['android'],
};

/** Creates demo downloads for development: for each app and platform a small text that says that it is no app. */
export function createDemoDownloads(baseUrl: () => string): { settings: () => DownloadsSettings; router: Router } {
  const settings = (): DownloadsSettings => ({
    hosts: [new URL(baseUrl()).host],
    downloads: Object.fromEntries(
      Object.entries(DEMO).map(([app, platforms]) => [
        app,
        Object.fromEntries(
          platforms.map((platform) => [
            platform,
            describeFile(`${baseUrl()}${ROOT}/${app}-${platform}.txt`, demoText(app, platform)),
          ]),
        ),
      ]),
    ),
  });

  const router = Router();
  for (const [app, platforms] of Object.entries(DEMO)) {
    for (const platform of platforms) {
      router.get(`${ROOT}/${app}-${platform}.txt`, (_req, res) => {
        res.attachment(`demo-${app}-${platform}.txt`).type('text/plain').send(demoText(app, platform));
      });
    }
  }

  return { settings, router };
}

function describeFile(url: string, text: string) {
  return {
    url,
    version: VERSION,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

function demoText(app: string, platform: string): string {
  return `This is a demo file. It stands in for the download of ${app} for ${platform} on a development server, and installs nothing.\n`;
}
