import { themeFor, titleOf } from '@app/contracts/document';
import { LANGUAGE_NAME, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { PIN_PARAMETER } from '@app/contracts/qa';
import { type Release, THIRD_PARTY_NOTICES, releaseUrl } from '@app/contracts/release';
import { SHELL, type Fault } from '@app/contracts/unit';
import { RESOLUTION_ELEMENT_ID } from '@app/contracts/resolution';
import type { SiteSettings } from '@app/contracts/site-settings';
import { type KnownDevice, knownDeviceIn, namesRefusal } from '@app/contracts/device-params';
import { OLDEST_BROWSERS } from '@app/contracts/oldest-browsers';
import { COMPANION, PRODUCT, TEAM_PREFIX } from '@app/contracts/brand';
import type { SharePicture } from '@app/contracts/pages';
import {
  type ReleaseSelection,
  faultOf,
  integrityOf,
  presentResolution,
} from '#api/delivery/serving/release-selection.ts';
import { escapeHtml, escapeJson } from '#api/foundation/http/html.ts';
import { BOOT_GUARD } from './boot-guard.ts';
import { formatTexts } from '#api/foundation/http/format-texts.ts';
import vi from '../../../../translations/vi/api/documents.json' with { type: 'json' };
import viSharing from '../../../../translations/vi/api/sharing.json' with { type: 'json' };
import en from './documents.en.json' with { type: 'json' };
import { fillEarlyLinks } from './early-links.ts';

/** A stylesheet whose text is in the document, so that the first paint needs no other file. */
export interface InlineStyle {
  url: string;
  text: string;
  /** The source that allows it in the policy of the document. */
  source: string;
}

export interface PageRequest {
  selection: ReleaseSelection;
  release: Release;
  route: Release['routes'][number];
  pathAndQuery: string;
  settings: SiteSettings;
  baseUrl: string;
  deviceInQuery?: DeviceInQuery;
  /** The HTML of the page and its frame, if it was rendered ahead of time. */
  rendered?: string | undefined;
  /** The stylesheets of shell and page as text. When it is empty, the document links them. */
  styles?: readonly InlineStyle[] | undefined;
  language?: string | undefined;
}

/**
 * Composes the HTML of a page. A page that was rendered ahead of time can be read without scripts, so they load at low
 * priority. The document names every file that the browser has to fetch, so that all code arrives in one round trip.
 * Stylesheets and preloads carry the same `integrity` and `crossorigin` as the requests that follow; otherwise
 * the browser would fetch the files twice.
 */
export function composePage({
  selection,
  release: owner,
  route,
  pathAndQuery,
  settings,
  baseUrl,
  deviceInQuery = WITHOUT_DEVICE,
  rendered,
  styles = [],
  language,
}: PageRequest): string {
  const shell = selection.units.get(SHELL)?.release;
  if (!shell) throw new Error('No shell has been published.');
  const { theme, accent } = themeFor(pathAndQuery);
  const shellFault = faultOf(selection, SHELL);
  const words = documentWords(language);
  const priority = rendered === undefined ? '' : ' fetchpriority="low"';
  const translated = translate({ shell, owner }, language, priority);
  const scripts = faultOf(selection, owner.unit)
    ? // A unit whose failure QA simulates preloads nothing.
      []
    : linkTags(`rel="preload" as="script"${priority}`, owner, route.preload);
  const links = [
    ...(styles.length > 0
      ? styles.map(inlineStyleTag)
      : linkStyles({ selection, shell, owner, route, rendered, language })),
    ...scripts,
    ...fontsOf(shell, language).map((file) => preloadFont(releaseUrl(shell, file))),
  ];

  return `<!doctype html>
<html lang="${language ?? ORIGINAL_LANGUAGE}" data-theme="${theme}" data-accent="${accent}"${rendered === undefined ? '' : deviceAttributes(deviceInQuery)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#0a0c12">
<title>${escapeHtml(titleOf(pathAndQuery, route.title))}</title>
${sharingTags(route, baseUrl, language)}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/manifest.webmanifest">
${bootGuard(shell, selection, shellFault)}
${links.join('\n')}
<script id="${RESOLUTION_ELEMENT_ID}" type="application/json">${escapeJson(presentResolution(selection, owner.unit, language))}</script>
<script id="settings" type="application/json">${escapeJson(settings)}</script>
${[...translated, deferScript(priority, addressOf(shell, shell.entry.file, shellFault), shell.entry.integrity)].join('\n')}
</head>
<body>
<noscript><p class="no-script">${rendered === undefined ? words.needsJavaScript : words.withoutJavaScript}</p></noscript>
<p class="too-old" hidden>${words.tooOld}</p>
<div id="root">${contentOf(rendered, styles)}</div>
<p class="boot"${rendered === undefined ? `>${words.notStarted}` : ` data-rendered>${words.worksInPart}`}${exitLink(selection)}</p>
</body>
</html>
<!-- /${THIRD_PARTY_NOTICES} -->
`;
}

const OLDEST_BROWSERS_TEXT = `Safari ${String(Number(OLDEST_BROWSERS.safari))}, Chrome ${OLDEST_BROWSERS.chrome}, Firefox ${OLDEST_BROWSERS.firefox}`;

const MESSAGES: Readonly<Record<string, typeof en>> = { vi };

/** What a document says itself, as HTML, when the code of its page does not come or cannot run. */
function documentWords(language = 'en'): typeof en {
  const values = { oldest: OLDEST_BROWSERS_TEXT, app: PRODUCT.label, companion: COMPANION.label };
  return formatTexts(MESSAGES[language] ?? en, values, language);
}

/** Linked stylesheets would block a script, which would delay the rest of the document. */
function contentOf(rendered: string | undefined, styles: readonly InlineStyle[]): string {
  if (rendered === undefined) return '';
  const working = fillEarlyLinks(rendered);
  return styles.length > 0 ? layOutInParts(working) : working;
}

function inlineStyleTag({ url, text }: InlineStyle): string {
  return `<style data-href="${url}">${text}</style>`;
}

interface StyleLinkOptions extends Pick<PageRequest, 'selection' | 'route' | 'rendered' | 'language'> {
  shell: Release;
  owner: Release;
}

/** Those of the page block rendering only beside its HTML; otherwise a slow unit would cause a white page. */
function linkStyles({ selection, shell, owner, route, rendered, language }: StyleLinkOptions): string[] {
  const blocking = 'rel="stylesheet"';
  const ofPage = rendered === undefined ? 'rel="preload" as="style"' : blocking;
  return [
    ...linkTags(blocking, shell, shell.css, faultOf(selection, SHELL)),
    ...(faultOf(selection, owner.unit) ? [] : linkTags(ofPage, owner, route.css)),
    ...linkTags(blocking, shell, fontStylesOf(shell, language)),
  ];
}

export function fontStylesOf({ translations }: Release, language = ''): string[] {
  const { css } = translations?.[language] ?? {};
  return css ? [css] : [];
}

/** The fonts of a page: those of its language, else those that no language has for itself. */
function fontsOf({ translations = {}, files }: Release, language = ''): string[] {
  const ofLanguages = Object.values(translations).flatMap(({ fonts = [] }) => fonts);
  return (
    translations[language]?.fonts ?? Object.keys(files).filter((file) => isFont(file) && !ofLanguages.includes(file))
  );
}

/** The shell runs texts itself, so that one that hangs cannot stop it. Earlier shells need theirs before they start. */
function translate({ shell, owner }: { shell: Release; owner: Release }, language = '', priority: string): string[] {
  return [...new Set([shell, owner])].flatMap((release) => {
    const script = release.translations?.[language]?.script;
    if (!script) return [];
    if (release === shell && !shell.entry.fetchesTexts)
      return [deferScript(priority, releaseUrl(shell, script), integrityOf(shell, script))];
    return linkTags(`rel="preload" as="script"${priority}`, release, [script]);
  });
}

function deferScript(priority: string, url: string, integrity: string): string {
  return `<script defer${priority} src="${url}" integrity="${integrity}" crossorigin="anonymous"></script>`;
}

function isFont(file: string): boolean {
  return file.endsWith('.woff2');
}

/** Low priority: until the font is here, headings show in a fallback font of the same metrics. */
function preloadFont(url: string): string {
  return `<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin="anonymous" fetchpriority="low">`;
}

/** The guard comes before everything that it watches. A shell that is a fallback already has no fallback of its own. */
function bootGuard({ version }: Release, { units }: ReleaseSelection, fault: Fault | undefined): string {
  const { source, lastGood } = units.get(SHELL) ?? {};
  const good = lastGood && source !== 'fallback' ? ' data-good="1"' : '';
  const quiet = fault ? ' data-quiet="1"' : '';
  return `<script data-version="${version}"${good}${quiet}>${BOOT_GUARD}</script>`;
}

/** Without the shell there is no panel to end pins. It has no device in it, because documents are kept. */
function exitLink({ qa }: ReleaseSelection): string {
  if (qa?.publicState.until === undefined) return '';
  return `<br>Versions or faults that were chosen in this browser may be why. <a href="?${PIN_PARAMETER}=none">Leave them</a>`;
}

function addressOf(release: Release, file: string, fault: Fault | undefined): string {
  return releaseUrl(release, file) + (fault && fault !== 'crashing' ? `?fault=${fault}` : '');
}

function linkTags(attributes: string, release: Release, files: readonly string[], fault?: Fault): string[] {
  return files.map(
    (file) =>
      `<link ${attributes} href="${addressOf(release, file, fault)}" integrity="${integrityOf(release, file)}" crossorigin="anonymous">`,
  );
}

/** The parts of an address's query that decide how its page looks from the start. */
export interface DeviceInQuery {
  device: KnownDevice;
  /** Whether the query has the code of a refusal, or will be refused itself. */
  refusal: boolean;
}

const WITHOUT_DEVICE: DeviceInQuery = { device: 'none', refusal: false };

export function readDeviceInQuery(pathAndQuery: string): DeviceInQuery {
  const start = pathAndQuery.indexOf('?');
  if (start < 0) return WITHOUT_DEVICE;

  const query = new URLSearchParams(pathAndQuery.slice(start));
  return { device: knownDeviceIn(query), refusal: namesRefusal(query) };
}

export function deviceAttributes({ device, refusal }: DeviceInQuery): string {
  return (device === 'none' ? '' : ` data-device="${device}"`) + (refusal ? ' data-refused' : '');
}

const SHARE_PICTURE_SIZE = { width: 1200, height: 630 };

/**
 * The titles and descriptions of shared links by what `routes.ts` has in English. A release with another text is shared
 * in English until it is translated.
 */
const SHARING: Readonly<Record<string, Readonly<Record<string, string>>>> = { vi: viSharing };

/**
 * The tags of a page for search engines and shared links, which need absolute addresses. In another language the shared
 * address names it, because what reads the tags follows that address, and has no language itself.
 */
export function sharingTags(route: Release['routes'][number], baseUrl: string, language?: string): string {
  const { path, picture, canonical, app } = route;
  const say = (text: string) => (language && SHARING[language]?.[text]) ?? text;
  const alts: Readonly<Record<string, string>> = documentWords(language).pictures satisfies Record<
    SharePicture,
    string
  >;
  const alt = Object.hasOwn(alts, picture) ? alts[picture] : undefined;
  const description = say(route.description);
  const address = `${baseUrl}${canonical ?? path}`;
  const folder = language ? `share/${language}` : 'share';

  return [
    meta('name', 'description', description),
    canonical === null ? meta('name', 'robots', 'noindex') : `<link rel="canonical" href="${escapeHtml(address)}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', TEAM_PREFIX),
    meta('property', 'og:title', say(route.shareTitle ?? titleOf(path, route.title))),
    meta('property', 'og:description', description),
    meta('property', 'og:url', language ? `${address}?${LANGUAGE_NAME}=${language}` : address),
    meta('property', 'og:image', `${baseUrl}/${folder}/${picture}.jpg`),
    meta('property', 'og:image:width', String(SHARE_PICTURE_SIZE.width)),
    meta('property', 'og:image:height', String(SHARE_PICTURE_SIZE.height)),
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

/**
 * A script in a document that was rendered ahead of time. It removes itself, and forces the layout of everything
 * before it. Chromium starts the first layout only when a document is complete, and it is slow, because the browser looks
 * for fonts and reads all styles. In parts, none of them blocks a slow phone for long. Once the shell's script has
 * arrived, as it has at once on a second visit, the layout would only keep it from starting. React finds exactly the
 * nodes that the server has rendered, because the script is gone by then. The page's policy allows this very text.
 */
export const LAY_OUT_PART =
  '{let d=document;d.currentScript.remove();' +
  'performance.getEntriesByName(d.querySelector("head>script:last-of-type").src)[0]||d.body.offsetHeight}';

const SCRIPT = `<script>${LAY_OUT_PART}</script>`;

/** More than any page needs. The markup comes from the code of a release, and each part makes it longer. */
const MAX_PARTS = 100;

/** @param rendered the shell with the page in it, as React writes it: every `<` begins a tag there */
export function layOutInParts(rendered: string): string {
  const header = rendered.indexOf('</header>', rendered.indexOf('<main'));
  let parts = 1;
  return rendered.replace(/<(?:main|section|footer)(?=[ >])|<\/header>/g, (tag, at) => {
    const isClosing = tag.startsWith('</');
    if (parts === MAX_PARTS || (isClosing && at !== header)) return tag;
    parts++;
    return isClosing ? tag + SCRIPT : SCRIPT + tag;
  });
}
