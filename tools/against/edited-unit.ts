import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { titleOf } from '../../shared/contracts/src/document.ts';
import { findHostApiProblem } from '../../shared/contracts/src/host-api-fit.ts';
import type { Release } from '../../shared/contracts/src/release.ts';
import { type Resolution, type ResolvedUnit, resolutionSchema } from '../../shared/contracts/src/resolution.ts';
import { SHELL } from '../../shared/contracts/src/unit.ts';
import { EDITING_PATH } from '../../shared/contracts/src/working-copy.ts';

/** Where a build has its source maps: in a folder of their own, where none is taken for the entry. */
export const SOURCE_MAPS = 'source-maps';

/** The unit that is edited: its newest build, and why there is no newer one. */
export interface EditedUnit {
  unit: string;
  version: string;
  folder: string;
  /** The last build that can be shown; undefined before the first. */
  release?: Release | undefined;
  /** The error of the last build, or why it does not fit the site. */
  problem?: string | undefined;
}

export function releaseUrl({ unit, version }: { unit: string; version: string }): string {
  return `/releases/${unit}/${version}/`;
}

export function nameBuild({ release }: EditedUnit): string {
  return release ? createHash('sha256').update(JSON.stringify(release)).digest('hex').slice(0, 12) : '';
}

/**
 * Finds why a build cannot live with the units that the site serves.
 * @returns a sentence; undefined when they fit
 */
export function findIncompatibility({ units }: Resolution, release: Release): string | undefined {
  const edited = `${release.unit}@${release.version}`;
  if (release.unit !== SHELL) {
    const shell = units[SHELL];
    // Pages say which version of the host API a unit has, but not its names.
    const { version } = release.contract;
    const problem = shell?.contract && findHostApiProblem({ version: shell.contract }, { version });
    return problem ? `${edited} ${problem} (${SHELL}@${shell?.version ?? ''} of the site)` : undefined;
  }

  for (const [unit, { version, contract }] of Object.entries(units)) {
    const problem = unit !== SHELL && contract && findHostApiProblem(release.contract, { version: contract });
    if (problem) return `${unit}@${version} of the site ${problem} (${edited})`;
  }
  return undefined;
}

/** Puts the edited unit into a resolution. What fails there has no fallback: its developer has to see it. */
export function replaceUnit(resolution: Resolution, { release }: EditedUnit): Resolution {
  if (!release) return resolution;
  const { version, entry, contract, routes } = release;
  const { file, ...how } = entry;

  const unit: ResolvedUnit = {
    version,
    // Of all sources this one says best that the version was chosen for this browser alone.
    source: 'pin',
    entry: { url: releaseUrl(release) + file, ...how },
    contract: contract.version,
    routes: routes.map(({ path }) => path),
    titles: Object.fromEntries(routes.filter(({ title }) => title).map(({ path, title }) => [path, title])),
  };
  return { ...resolution, units: { ...resolution.units, [release.unit]: unit } };
}

const RESOLUTION_PATTERN = /(<script id="resolution" type="application\/json">)(.*?)(<\/script>)/s;
const TITLE_PATTERN = /<title>.*?<\/title>/s;
/** The page as the site has rendered it ahead of time, from its own release of the unit. */
const RENDERED_PATTERN = /<div id="root">.*?<\/div>\n(?=<p class="boot")/s;

/** Reads which version of each unit a page of a site has; undefined when it is no page of such a site. */
export function readResolution(html: string): Resolution | undefined {
  try {
    const said: unknown = JSON.parse(RESOLUTION_PATTERN.exec(html)?.[2] ?? '');
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
    .replace(TITLE_PATTERN, (old) => title ?? old)
    .replace(RENDERED_PATTERN, '<div id="root"></div>\n')
    .replace(elementsOf(edited.unit), '')
    .replace(script, () => [...framesOf(release), script].join('\n'))
    .replace(RESOLUTION_PATTERN, (_all, open: string, _json, close: string) =>
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
