import { themeFor, titleOf } from '@app/contracts/document';
import { OLDEST_BROWSERS } from '@app/contracts/oldest-browsers';
import { PIN_PARAMETER } from '@app/contracts/qa';
import { SHELL, THIRD_PARTY_NOTICES, type Release } from '@app/contracts/release';
import { RESOLUTION_ELEMENT_ID } from '@app/contracts/resolution';
import type { Fault } from '@app/contracts/faults';
import type { SiteSettings } from '@app/contracts/site-settings';
import type { Choice } from '#api/delivery/serving/choose-releases.ts';
import { faultOf, presentResolution, releaseUrl } from '#api/delivery/serving/resolution.ts';
import { escapeHtml, escapeJson } from '#api/foundation/http/html.ts';
import { BOOT_GUARD } from './boot-guard.ts';
import type { InlineStyle } from './inline-styles.ts';
import { layOutInParts } from './lay-out-in-parts.ts';
import { namedAttributes, NOTHING_NAMED, type NamedInAddress } from './named-in-address.ts';
import { sharingTags } from './sharing-tags.ts';

interface PageRequest {
  choice: Choice;
  /** The release that has the path, and its route. */
  release: Release;
  route: Release['routes'][number];
  /** Path with query, as the visitor asked. */
  pathAndQuery: string;
  settings: SiteSettings;
  /** The site's own origin. */
  baseUrl: string;
  /** What the address names: for that the HTML was rendered. */
  named?: NamedInAddress;
  /** The HTML of the page and its frame, if it was rendered ahead of time. */
  rendered?: string | undefined;
  /** The stylesheets of shell and page as text. None: the document links them. */
  styles?: readonly InlineStyle[] | undefined;
}

/**
 * Composes the HTML of a page. A page that was rendered ahead of time can be read without anything else, so scripts come
 * at low priority. The document names everything that the browser has to fetch, so that all code arrives in one round.
 * Stylesheets and preloads carry the same `integrity` and `crossorigin` as the requests that follow; otherwise
 * the browser would fetch the files twice.
 */
export function composePage({
  choice,
  release: owner,
  route,
  pathAndQuery,
  settings,
  baseUrl,
  named = NOTHING_NAMED,
  rendered,
  styles = [],
}: PageRequest): string {
  const shell = choice.units.get(SHELL)?.release;
  if (!shell) throw new Error('No shell has been published.');
  const { theme, accent } = themeFor(pathAndQuery);
  const shellFault = faultOf(choice, SHELL);
  const priority = rendered === undefined ? '' : ' fetchpriority="low"';
  const scripts = faultOf(choice, owner.unit)
    ? // Of a unit whose failure QA simulates, nothing is there early.
      []
    : link(`rel="preload" as="script"${priority}`, owner, route.preload);
  const links = [
    ...(styles.length > 0 ? styles.map(inline) : linkStyles({ choice, shell, owner, route, rendered })),
    ...scripts,
    ...Object.keys(shell.files)
      .filter(isFont)
      .map((file) => preloadFont(releaseUrl(shell, file))),
  ];

  return `<!doctype html>
<html lang="en" data-theme="${theme}" data-accent="${accent}"${rendered === undefined ? '' : namedAttributes(named)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#0a0c12">
<title>${escapeHtml(titleOf(pathAndQuery, route.title))}</title>
${sharingTags(route, baseUrl)}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/manifest.webmanifest">
${bootGuard(shell, choice, shellFault)}
${links.join('\n')}
<script id="${RESOLUTION_ELEMENT_ID}" type="application/json">${escapeJson(presentResolution(choice, owner.unit))}</script>
<script id="settings" type="application/json">${escapeJson(settings)}</script>
<script defer${priority} src="${addressOf(shell, shell.entry.file, shellFault)}" integrity="${shell.entry.integrity}" crossorigin="anonymous"></script>
</head>
<body>
${rendered === undefined ? UNREADABLE : READABLE}
${TOO_OLD}
<div id="root">${contentOf(rendered, styles)}</div>
${rendered === undefined ? UNRENDERED : RENDERED}${wayOut(choice)}</p>
</body>
</html>
<!-- /${THIRD_PARTY_NOTICES} -->
`;
}

/** A script would wait for stylesheets that are linked, and hold up what comes after it. */
function contentOf(rendered: string | undefined, styles: readonly InlineStyle[]): string {
  if (rendered === undefined) return '';
  return styles.length > 0 ? layOutInParts(rendered) : rendered;
}

/** Says in a document without its page what is missing. The text about the start appears by CSS, after a while. */
const UNRENDERED = `<p class="boot">This page did not start. <a href="">Reload</a> it, or come back in a few minutes.`;
const UNREADABLE = `<noscript><p class="no-script">This page needs JavaScript. <a href="/">Go to the home page</a></p></noscript>`;

/** The same where the page can be read already. */
const RENDERED = `<p class="boot" data-rendered>Some parts of this page do not work yet. Links do. <a href="">Reload</a>`;
const READABLE = `<noscript><p class="no-script">Without JavaScript you can read this site and follow its links. Keys, plans and forms need it.</p></noscript>`;

const OLDEST = `Safari ${String(Number(OLDEST_BROWSERS.safari))}, Chrome ${OLDEST_BROWSERS.chrome}, Firefox ${OLDEST_BROWSERS.firefox}`;
/** Shown in a browser in which the shell does not start. */
const TOO_OLD = `<p class="too-old" hidden>This browser is too old for keys, plans and forms: they need ${OLDEST}, or newer. Most pages can be read, and links work. <a href="/">Go to the home page</a></p>`;

function inline({ url, text }: InlineStyle): string {
  return `<style data-href="${url}">${text}</style>`;
}

interface Linked extends Pick<PageRequest, 'choice' | 'route' | 'rendered'> {
  shell: Release;
  owner: Release;
}

/**
 * Links the stylesheets. Those of the page hold back the paint only where there is something to paint: a page without
 * HTML awaits them in its code, so a slow unit causes no white page.
 */
function linkStyles({ choice, shell, owner, route, rendered }: Linked): string[] {
  const blocking = 'rel="stylesheet"';
  const ofPage = rendered === undefined ? 'rel="preload" as="style"' : blocking;
  return [
    ...link(blocking, shell, shell.css, faultOf(choice, SHELL)),
    ...(faultOf(choice, owner.unit) ? [] : link(ofPage, owner, route.css)),
  ];
}

function isFont(file: string): boolean {
  return file.endsWith('.woff2');
}

/** Low priority: until the font is here, headings show in a fallback font of the same metrics. */
function preloadFont(url: string): string {
  return `<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin="anonymous" fetchpriority="low">`;
}

/** The guard comes before all that it watches. Instead of a shell that is a way back already there is no other one. */
function bootGuard({ version }: Release, { units }: Choice, fault: Fault | undefined): string {
  const { source, lastGood } = units.get(SHELL) ?? {};
  const good = lastGood && source !== 'fallback' ? ' data-good="1"' : '';
  const quiet = fault ? ' data-quiet="1"' : '';
  return `<script data-version="${version}"${good}${quiet}>${BOOT_GUARD}</script>`;
}

/**
 * A shell that does not start takes the panel of QA with it, so whoever has pins gets a way out here. It has no device in
 * it, because documents are kept.
 */
function wayOut({ qa }: Choice): string {
  if (qa?.told.until === undefined) return '';
  return `<br>Versions or faults that were chosen in this browser may be why. <a href="?${PIN_PARAMETER}=none">Leave them</a>`;
}

/** Where the shell's file is; with the fault that QA simulates, which the server plays. */
function addressOf(release: Release, file: string, fault: Fault | undefined): string {
  return releaseUrl(release, file) + (fault && fault !== 'crashing' ? `?fault=${fault}` : '');
}

function link(attributes: string, release: Release, files: readonly string[], fault?: Fault): string[] {
  return files.map(
    (file) =>
      `<link ${attributes} href="${addressOf(release, file, fault)}" integrity="sha384-${release.files[file]?.sha384 ?? ''}" crossorigin="anonymous">`,
  );
}
