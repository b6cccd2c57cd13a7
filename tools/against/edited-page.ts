import { titleOf } from '../../shared/contracts/src/document.ts';
import type { Release } from '../../shared/contracts/src/release.ts';
import { SHELL } from '../../shared/contracts/src/unit.ts';
import { EDITING_PATH } from '../../shared/contracts/src/working-copy.ts';
import { resolutionSchema, type Resolution } from '../../shared/contracts/src/resolution.ts';
import * as v from 'valibot';
import { nameBuild, releaseUrl, replaceUnit, type EditedUnit } from './edited-unit.ts';

const RESOLUTION = /(<script id="resolution" type="application\/json">)(.*?)(<\/script>)/s;
const TITLE = /<title>.*?<\/title>/s;
/** The page as the site has rendered it ahead of time, from its own release of the unit. */
const RENDERED = /<div id="root">.*?<\/div>\n(?=<p class="boot")/s;

/** Reads which version of each unit a page of a site has; undefined when it is no page of such a site. */
export function readResolution(html: string): Resolution | undefined {
  try {
    const said: unknown = JSON.parse(RESOLUTION.exec(html)?.[2] ?? '');
    // As it was said: a newer site may say more than the schema here knows.
    return v.is(resolutionSchema, said) ? said : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Puts the edited unit into the HTML of a page, in place of the site's release of it.
 * @param pathAndQuery the address in the browser. The HTML may be that of another page of the unit.
 */
export function editPage(html: string, edited: EditedUnit, pathAndQuery: string): string {
  const resolution = readResolution(html);
  if (!resolution) return html;

  const script = `<script src="${EDITING_PATH}/client.js" data-build="${nameBuild(edited)}"></script>`;
  const withScript = html.replace('</head>', () => `${script}\n</head>`);
  const { release } = edited;
  if (!release) return withScript;

  const route = release.routes.find(({ path }) => path === pathAndQuery.split('?')[0]);
  const title = route && `<title>${escapeHtml(titleOf(pathAndQuery, route.title))}</title>`;
  return withScript
    .replace(TITLE, (old) => title ?? old)
    .replace(RENDERED, '<div id="root"></div>\n')
    .replace(elementsOf(edited.unit), '')
    .replace(script, () => [...framesOf(release), script].join('\n'))
    .replace(RESOLUTION, (_all, open: string, _json, close: string) =>
      [open, escapeJson(replaceUnit(resolution, edited)), close].join(''),
    );
}

/** The elements that fetch or contain files of the site's release of a unit. */
function elementsOf(unit: string): RegExp {
  const address = `[^>]*(href|src)="/releases/${unit}/[^>]*>`;
  return new RegExp(`(<(link|script) ${address}(</script>)?|<style ${address}.*?</style>)\n?`, 'gs');
}

/** What the HTML has to fetch of a shell. A remote is fetched by the shell. */
function framesOf(release: Release): string[] {
  if (release.unit !== SHELL) return [];

  const url = releaseUrl(release);
  return [
    ...release.css.map((file) => `<link rel="stylesheet" href="${url}${file}">`),
    `<script defer src="${url}${release.entry.file}"></script>`,
  ];
}

function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
