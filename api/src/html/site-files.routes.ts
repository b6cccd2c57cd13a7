import { PRODUCT, TEAM_PREFIX } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import express, { Router } from 'express';
import type { Snapshot } from '#api/features/releases/snapshot.ts';
import { onlyRead } from '#api/http/only-methods.ts';

const DAY_IN_MS = 24 * 60 * 60 * 1000;
const KEEP = 'public, max-age=86400';

const MANIFEST = {
  name: `${PRODUCT.label} by ${TEAM_PREFIX}`,
  short_name: PRODUCT.label,
  start_url: PAGES.home,
  display: 'standalone',
  background_color: '#0a0c12',
  theme_color: '#0a0c12',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
};

/**
 * Serves the files that browsers, search engines and link previews look for: robots.txt, sitemap, manifest, icons and
 * pictures.
 * @param folder the folder of the drawn pictures
 * @param snapshot gives what is served; the sitemap lists the pages of the stable releases
 */
export function siteFilesRoutes(folder: string, snapshot: () => Snapshot, baseUrl: () => string): Router {
  const router = Router();

  router.get('/robots.txt', (_req, res) => {
    res
      .set('cache-control', KEEP)
      .type('text/plain')
      .send(`User-agent: *\nDisallow: /api/\nDisallow: /qa\nSitemap: ${baseUrl()}/sitemap.xml\n`);
  });
  router.get('/sitemap.xml', (_req, res) => {
    const urls = listCanonicalPaths(snapshot()).map((path) => `<url><loc>${baseUrl()}${path}</loc></url>`);
    res
      .set('cache-control', KEEP)
      .type('application/xml')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
      );
  });
  router.get('/manifest.webmanifest', (_req, res) => {
    res.set('cache-control', KEEP).type('application/manifest+json').send(JSON.stringify(MANIFEST));
  });
  router.all(['/robots.txt', '/sitemap.xml', '/manifest.webmanifest'], onlyRead);
  router.use(express.static(folder, { maxAge: DAY_IN_MS, index: false, redirect: false }));

  return router;
}

/** The paths that search engines should list, each once. */
function listCanonicalPaths({ units }: Snapshot): string[] {
  const routes = [...units.values()].flatMap(({ stable }) => stable.routes);
  return [...new Set(routes.flatMap(({ canonical }) => canonical ?? []))];
}
