import { PRODUCT, TEAM_PREFIX } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { THIRD_PARTY_NOTICES, releaseUrl } from '@app/contracts/release';
import { SHELL } from '@app/contracts/unit';
import express, { Router } from 'express';
import { fontStylesOf } from './compose.ts';
import type { ReadStyle } from './documents.ts';
import type { Registry, Snapshot } from '#api/delivery/registry/registry.ts';
import { cacheShared, noStore } from '#api/foundation/http/headers.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';

const DAY_IN_MS = 24 * 60 * 60 * 1000;
/** How long our proxy keeps a picture. */
const SHARED_CACHE_TTL_S = 10;
const CACHE_FOR_A_DAY = 'public, max-age=86400';

/** RFC 9116 recommends less than a year. */
const CONTACT_VALID_DAYS = 90;

const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** Where sites that stood at an address before have their service worker. */
const FORMER_WORKERS = ['/service-worker.js', '/serviceworker.js', '/sw.js', '/ngsw-worker.js'];

/**
 * Ends a former site's worker, with what it kept, and shows its pages anew. A browser asks for it with each visit. For
 * some browsers the same address with a fragment is a place in the page that is there, so the fragment goes by the
 * server, which leads back to it (`splitFragment`).
 */
const UNREGISTER_WORKER_SCRIPT = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) await caches.delete(name);
      await registration.unregister();
      for (const page of await clients.matchAll({ type: 'window' })) {
        const { pathname, search, hash } = new URL(page.url);
        await page.navigate(location.origin + pathname + hash.replace('#', '%23') + search).catch(() => {});
      }
    })(),
  ),
);
`;

/** Where the tools that build most sites put their scripts. Ours stand in `/releases`. */
const FORMER_SCRIPTS =
  /^\/(?:(?:static\/js|assets|js|_next\/static|_nuxt)\/.+|(?:app|bundle|index|main|polyfills|runtime)(?:[.-][\w.-]+)?)\.m?js$/;

/** Runs in a page of a former site that a browser has kept, and asks the server for it anew, once. */
const LEAVE_FORMER_PAGE_SCRIPT = `(async () => {
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
})().finally(() => {
  if (performance.getEntriesByType('navigation')[0]?.type !== 'reload') location.reload();
});
`;

const WEB_APP_MANIFEST = {
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

interface SiteFiles {
  folder: string;
  registry: Pick<Registry, 'snapshot'>;
  baseUrl: () => string;
  readStyle: ReadStyle;
  /** The URI for reports of vulnerabilities. Default: the mailbox that RFC 2142 names, at our host. */
  contact?: string | undefined;
  now: () => number;
}

/** What browsers, search engines and researchers look for; and what ends a former site at this address. */
export function siteFilesRoutes({ folder, registry, baseUrl, readStyle, contact, now }: SiteFiles): Router {
  const router = Router();

  const texts: [path: string, type: string, text: () => string][] = [
    [
      '/robots.txt',
      'text/plain',
      () => `User-agent: *\nDisallow: /api/\nDisallow: /qa\nSitemap: ${baseUrl()}/sitemap.xml\n`,
    ],
    [SECURITY_TXT_PATH, 'text/plain', () => securityTxt(baseUrl(), now(), contact)],
    [
      `/${THIRD_PARTY_NOTICES}`,
      'text/plain',
      () => {
        const urls = listNotices(registry.snapshot()).map((path) => `${baseUrl()}${path}\n`);
        return `These pages contain packages of others, under the licences in:\n${urls.join('')}`;
      },
    ],
    [
      '/sitemap.xml',
      'application/xml',
      () => {
        const urls = listCanonicalPaths(registry.snapshot()).map((path) => `<url><loc>${baseUrl()}${path}</loc></url>`);
        return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
      },
    ],
    ['/manifest.webmanifest', 'application/manifest+json', () => JSON.stringify(WEB_APP_MANIFEST)],
  ];
  for (const [path, type, text] of texts)
    router
      .route(path)
      .get((_req, res) => res.set('cache-control', CACHE_FOR_A_DAY).type(type).send(text()))
      .all(onlyRead);
  router
    .route('/fonts.css')
    .get(async (_req, res) => {
      res.set('cache-control', 'public, max-age=3600').type('css');
      res.send(await collectFonts(registry.snapshot(), readStyle));
    })
    .all(onlyRead);
  for (const [path, script] of [
    [FORMER_WORKERS, UNREGISTER_WORKER_SCRIPT],
    [FORMER_SCRIPTS, LEAVE_FORMER_PAGE_SCRIPT],
  ] as const)
    router
      .route(path)
      .get(noStore, (_req, res) => res.type('text/javascript').send(script))
      .all(onlyRead);
  router.use(
    express.static(folder, {
      maxAge: DAY_IN_MS,
      index: false,
      redirect: false,
      setHeaders: (res) => cacheShared(res, SHARED_CACHE_TTL_S),
    }),
  );

  return router;
}

const FONT_FACE = /@font-face\s*\{[^}]*\}/g;
const FONT_FAMILIES = /--font-text:[^;}]+;\s*--font-display:[^;}]+/;

/** The fonts of the pages, for those that the server writes itself. Empty when the shell's files are not at hand. */
async function collectFonts({ units }: Snapshot, readStyle: ReadStyle): Promise<string> {
  const shell = units.get(SHELL)?.stable;
  if (!shell) return '';
  const read = async (files: string[]) =>
    (await Promise.all(files.map((file) => readStyle(shell, file)))).map((style) => style?.text ?? '').join('');

  const style = await read(shell.css);
  const languages = Object.keys(shell.translations ?? {});
  const ofLanguages = await read(languages.flatMap((language) => fontStylesOf(shell, language)));
  const families = FONT_FAMILIES.exec(style)?.[0] ?? '';
  return `${(style.match(FONT_FACE) ?? []).join('')}:root{${families}}${ofLanguages}`;
}

/** Each answer is valid from the beginning of its day, so the text changes once a day and never lapses. */
function securityTxt(baseUrl: string, now: number, contact = `mailto:security@${new URL(baseUrl).hostname}`): string {
  const today = Math.floor(now / DAY_IN_MS) * DAY_IN_MS;
  const expires = new Date(today + CONTACT_VALID_DAYS * DAY_IN_MS).toISOString();
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    `Canonical: ${baseUrl}${SECURITY_TXT_PATH}`,
    'Preferred-Languages: en',
    '',
  ].join('\n');
}

/** The paths of the third-party notices of the stable releases. Releases of earlier builds have no such file. */
function listNotices({ units }: Snapshot): string[] {
  return [...units.values()].flatMap(({ stable }) =>
    THIRD_PARTY_NOTICES in stable.files ? releaseUrl(stable, THIRD_PARTY_NOTICES) : [],
  );
}

function listCanonicalPaths({ units }: Snapshot): string[] {
  const routes = [...units.values()].flatMap(({ stable }) => stable.routes);
  return [...new Set(routes.flatMap(({ canonical }) => canonical ?? []))];
}
