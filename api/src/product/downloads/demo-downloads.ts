import { createHash } from 'node:crypto';
import type { DownloadApp, DownloadPlatform } from '@app/contracts/downloads';
import { Router } from 'express';
import type { DownloadsSettings } from './downloads-settings.ts';

const ROOT = '/dev/downloads';
/** What the pages show: the sizes and versions of the apps, where the product specification says them. */
const DEMO: Record<DownloadApp, { version: string; bytes: number; platforms: readonly DownloadPlatform[] }> = {
  v5: { version: '5.0.2', bytes: 178_000_000, platforms: ['android', 'ios', 'android_vng'] },
  neo: { version: '1.2.7', bytes: 170_000_000, platforms: ['android', 'ios', 'android_vng'] },
  v3: { version: '3.1.0', bytes: 142_000_000, platforms: ['android'] },
  companion: { version: '1.0.4', bytes: 2_000_000, platforms: ['android'] },
};

/** Creates demo downloads for development: each is a small text that says that it is no app, whatever size is shown. */
export function createDemoDownloads(baseUrl: () => string): { settings: () => DownloadsSettings; router: Router } {
  const settings = (): DownloadsSettings => ({
    hosts: [new URL(baseUrl()).host],
    downloads: Object.fromEntries(
      Object.entries(DEMO).map(([app, { version, bytes, platforms }]) => [
        app,
        Object.fromEntries(
          platforms.map((platform) => [
            platform,
            {
              url: `${baseUrl()}${ROOT}/${app}-${platform}.txt`,
              version,
              bytes,
              sha256: createHash('sha256').update(demoText(app, platform)).digest('hex'),
            },
          ]),
        ),
      ]),
    ),
  });

  const router = Router();
  for (const [app, { platforms }] of Object.entries(DEMO)) {
    for (const platform of platforms) {
      router.get(`${ROOT}/${app}-${platform}.txt`, (_req, res) => {
        res.attachment(`demo-${app}-${platform}.txt`).type('text/plain').send(demoText(app, platform));
      });
    }
  }

  return { settings, router };
}

function demoText(app: string, platform: string): string {
  return `This is a demo file. It stands in for the download of ${app} for ${platform} on a development server, and installs nothing.\n`;
}
