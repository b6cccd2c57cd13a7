import { TEAM_PREFIX } from '@app/contracts/brand';
import { titleOf } from '@app/contracts/document';
import type { Release } from '@app/contracts/release';
import { escapeHtml, escapeJson } from '#api/http/escape.ts';

const PICTURE = { width: 1200, height: 630 };

/**
 * Makes the tags of a page for search engines and shared links.
 * @param route the page, from its unit's release
 * @param baseUrl the site's own origin; these tags need absolute addresses
 */
export function sharingTags(route: Release['routes'][number], baseUrl: string): string {
  const { path, description, picture, canonical, app } = route;
  const title = titleOf(path, route.title);
  const address = `${baseUrl}${canonical ?? path}`;

  return [
    meta('name', 'description', description),
    canonical === null ? meta('name', 'robots', 'noindex') : `<link rel="canonical" href="${escapeHtml(address)}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', TEAM_PREFIX),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address),
    meta('property', 'og:image', `${baseUrl}/share/${picture}.jpg`),
    meta('property', 'og:image:width', String(PICTURE.width)),
    meta('property', 'og:image:height', String(PICTURE.height)),
    meta('name', 'twitter:card', 'summary_large_image'),
    app && `<script type="application/ld+json">${escapeJson(describeApp(app, description, address))}</script>`,
  ]
    .filter(Boolean)
    .join('\n');
}

function describeApp(app: { name: string; operatingSystem: string }, description: string, url: string) {
  return {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: app.name,
    operatingSystem: app.operatingSystem,
    applicationCategory: 'GameApplication',
    description,
    url,
  };
}

function meta(key: 'name' | 'property', name: string, content: string): string {
  return `<meta ${key}="${name}" content="${escapeHtml(content)}">`;
}
