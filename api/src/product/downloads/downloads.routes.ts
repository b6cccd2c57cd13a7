import { Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { noReferrer, noStore } from '#api/foundation/http/headers.ts';
import { interstitialWords, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import type { DownloadsService } from './downloads.service.ts';

/** The routes of downloads: `/download/…` redirects to a file, `/api/downloads` lists what there is. */
export function downloadsRoutes(downloads: DownloadsService): Router {
  const router = Router();

  router.use('/download', noStore, noReferrer);
  router.get('/download/:app/:platform', (req, res) => {
    const url = downloads.findUrl(req.params.app, req.params.platform);
    if (url === undefined) throw new AppError('DOWNLOAD_NONE');

    // The build for Vietnam can change an account permanently. Where no script asks before it is opened, this page does.
    if (req.query['ask'] !== undefined) {
      const { label, ...words } = interstitialWords(res).askForVietnam;
      return sendInterstitial(res, { ...words, link: { href: req.baseUrl + req.path, label } });
    }
    res.redirect(302, url);
  });
  router.all('/download/:app/:platform', onlyRead);

  router.get('/api/downloads', (_req, res) => {
    res.json(downloads.list());
  });
  router.all('/api/downloads', onlyRead);

  return router;
}
