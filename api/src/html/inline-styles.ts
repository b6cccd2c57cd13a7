import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Release } from '@app/contracts/release';
import { releaseUrl } from '#api/features/releases/resolution.ts';

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

/** `url(../media/a.svg)`; not an address with a scheme or a slash before it. */
const RELATIVE_URL = /url\((?!["']?(?:[a-z]+:|\/|#))["']?([^)"']+)["']?\)/g;

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

    const bytes = await readFile(join(folder, release.unit, release.version, file)).catch(() => undefined);
    if (!bytes || createHash('sha384').update(bytes).digest('base64') !== release.files[file]?.sha384) return undefined;
    const text = bytes
      .toString('utf8')
      .replace(RELATIVE_URL, (_, path: string) => `url(${posix.join(posix.dirname(url), path)})`);
    // It would end the element.
    if (/<\/style/i.test(text)) return undefined;

    const source = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    if (known.size >= MOST_KEPT) known.clear();
    known.set(url, { url, text, source });
    return known.get(url);
  };
}
