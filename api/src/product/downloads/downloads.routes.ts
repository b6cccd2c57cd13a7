import { DOWNLOAD_APPS, DOWNLOAD_PLATFORMS, type Downloads } from '@app/contracts/downloads';
import { PAGES } from '@app/contracts/pages';
import { Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { noReferrer, noStore } from '#api/foundation/http/headers.ts';
import { interstitialMessages, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import type { DownloadsSettings } from './downloads-settings.ts';

/** The routes of downloads: `/download/…` redirects to a file, `/api/downloads` lists what there is. */
export function downloadsRoutes(settings: () => DownloadsSettings): Router {
  const router = Router();

  router.use('/download', noStore, noReferrer);
  router.get('/download/:app/:platform', (req, res) => {
    const app = DOWNLOAD_APPS.find((name) => name === req.params.app);
    const platform = DOWNLOAD_PLATFORMS.find((name) => name === req.params.platform);
    if (!app || !platform) throw new AppError('DOWNLOAD_UNKNOWN');
    const url = settings().downloads[app]?.[platform]?.url;
    if (url === undefined) throw new AppError('DOWNLOAD_NONE');

    // The build for Vietnam can change an account permanently. Where no script asks before it is opened, this page does.
    if (req.query['ask'] !== undefined) {
      const { label, others, ...words } = interstitialMessages(res).askForVietnam;
      return sendInterstitial(res, {
        ...words,
        picture: 'download',
        link: { href: req.baseUrl + req.path, label },
        links: [{ href: `${PAGES[app]}#downloads`, label: others }],
      });
    }
    res.redirect(302, url);
  });
  router.all('/download/:app/:platform', onlyRead);

  router.get('/api/downloads', (_req, res) => {
    res.json(listDownloads(settings()));
  });
  router.all('/api/downloads', onlyRead);

  return router;
}

/** Lists the downloads, without their addresses: visitors use our own link, which redirects. */
function listDownloads({ downloads }: DownloadsSettings): Downloads {
  const listed: Downloads = {};
  for (const [app, platforms] of Object.entries(downloads)) {
    const builds: Downloads[string] = (listed[app] = {});
    for (const [platform, build] of Object.entries(platforms ?? {}))
      if (build)
        builds[platform] = { available: true, version: build.version, bytes: build.bytes, sha256: build.sha256 };
  }
  return listed;
}
