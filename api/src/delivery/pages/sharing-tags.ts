import { COMPANION, PRODUCT, TEAM_PREFIX } from '@app/contracts/brand';
import { titleOf } from '@app/contracts/document';
import type { SharePicture } from '@app/contracts/pages';
import type { Release } from '@app/contracts/release';
import { escapeHtml, escapeJson } from '#api/foundation/http/html.ts';

const PICTURE = { width: 1200, height: 630 };

/** What the pictures show, for people who cannot see them. */
const PICTURE_ALTS: Readonly<Record<string, string>> = {
  v5: `${PRODUCT.label} V5 on a phone: the editor with a script, and the AI assistant beside it`,
  neo: `${PRODUCT.label} NEO on a phone: a small editor over a game, and saved scripts with switches`,
  v3: `${PRODUCT.label} V3 on a phone: a script above a keyboard of its own`,
  plans: 'Three plans: Basic for 7 days, Plus for 30 and Premium for 365',
  resellers: `Official approved resellers of ${PRODUCT.label} V5`,
  companion: `${COMPANION.label} on a phone: a ring shows 40% back at most, beside a list of purchases`,
  'key-system': `Six steps lead to a key for ${PRODUCT.label} that works for 24 hours`,
  'companion-key': `Three steps lead to a key for ${COMPANION.label} that works for 24 hours`,
  tools: `The marks of ${PRODUCT.label} V5, NEO, V3 and ${COMPANION.label}`,
} satisfies Record<SharePicture, string>;

/**
 * Makes the tags of a page for search engines and shared links.
 * @param route the page, from its unit's release
 * @param baseUrl the site's own origin; these tags need absolute addresses
 */
export function sharingTags(route: Release['routes'][number], baseUrl: string): string {
  const { path, description, picture, canonical, app } = route;
  const alt = Object.hasOwn(PICTURE_ALTS, picture) ? PICTURE_ALTS[picture] : undefined;
  const address = `${baseUrl}${canonical ?? path}`;

  return [
    meta('name', 'description', description),
    canonical === null ? meta('name', 'robots', 'noindex') : `<link rel="canonical" href="${escapeHtml(address)}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', TEAM_PREFIX),
    meta('property', 'og:title', route.shareTitle ?? titleOf(path, route.title)),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address),
    meta('property', 'og:image', `${baseUrl}/share/${picture}.jpg`),
    meta('property', 'og:image:width', String(PICTURE.width)),
    meta('property', 'og:image:height', String(PICTURE.height)),
    alt && meta('property', 'og:image:alt', alt),
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
