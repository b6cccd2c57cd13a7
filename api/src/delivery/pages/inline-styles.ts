import { createHash } from 'node:crypto';
import { join, posix } from 'node:path';
import type { Release } from '@app/contracts/release';
import { readListedFile } from '#api/delivery/store/release-files.ts';
import { releaseUrl } from '#api/delivery/serving/resolution.ts';

/** A stylesheet whose text stands in the document, so that the first paint waits for nothing else. */
export interface InlineStyle {
  /** Where the stylesheet is served as a file. */
  url: string;
  text: string;
  /** What allows it in the policy of the document. */
  source: string;
}

/** Gives the text of a release's stylesheet; undefined when it cannot stand in a document. */
export type ReadStyle = (release: Release, file: string) => Promise<InlineStyle | undefined>;

/**
 * `url(../media/a.svg)`, as a whole: in a picture that is written out may be another one, which is the picture's own. What
 * follows `url(` holds no other one, so that each is looked at once, however long the text is.
 */
const URL_FUNCTION = /url\(\s*(?:(["'])((?:(?!\1)[^\\]|\\.)*)\1|((?:[^"'()\s\\]|\\.)+))\s*\)/gis;

/** An address that needs no other one: with a scheme, a slash or a hash before it. */
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/|#|$)/i;

/** Ends the element, or is another character within a document, where the policy would then not allow the text. */
const ONLY_IN_FILES = /<\/style|[\r\0]/i;

const BYTE_ORDER_MARK = /^\uFEFF/;

/** So many stylesheets are kept in memory. */
const MOST_KEPT = 200;

/**
 * Makes the function that reads stylesheets from the store. Addresses in them become those of the site, because within a
 * document they are relative to it.
 * @param folder the folder of all releases
 */
export function createReadStyle(folder: string): ReadStyle {
  const known = new Map<string, InlineStyle>();

  return async (release, file) => {
    const url = releaseUrl(release, file);
    const kept = known.get(url);
    if (kept) return kept;

    const published = await readListedFile(join(folder, release.unit, release.version), release, file);
    if (published === undefined) return undefined;
    const text = resolveUrls(published.replace(BYTE_ORDER_MARK, ''), posix.dirname(url));
    if (ONLY_IN_FILES.test(text)) return undefined;

    const source = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    if (known.size >= MOST_KEPT) known.clear();
    known.set(url, { url, text, source });
    return known.get(url);
  };
}

/** @param base the folder of the stylesheet */
function resolveUrls(text: string, base: string): string {
  return text.replace(URL_FUNCTION, (whole, quote: string | undefined, quoted?: string, plain?: string) => {
    const path = quoted ?? plain ?? '';
    return ABSOLUTE.test(path) ? whole : `url(${quote ?? ''}${posix.join(base, path)}${quote ?? ''})`;
  });
}
