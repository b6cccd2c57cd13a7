import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { join, posix } from 'node:path';
import { themeFor, titleOf } from '@app/contracts/document';
import { type Release, releaseUrl } from '@app/contracts/release';
import { SHELL } from '@app/contracts/unit';
import type { SiteSettings } from '@app/contracts/site-settings';
import { LRUCache } from 'lru-cache';
import type { ReleaseSelection } from '#api/delivery/serving/release-selection.ts';
import type { Prerendering } from '#api/delivery/rendering/prerendering.ts';
import type { Coding } from '#api/foundation/http/headers.ts';
import { readListedFile } from '#api/delivery/store/release-files.ts';
import {
  composePage,
  type DeviceInQuery,
  fontStylesOf,
  type InlineStyle,
  type PageRequest,
  readDeviceInQuery,
} from './compose.ts';

export interface PageDocument {
  tag: string;
  /** Its size, without coding. */
  bytes: number;
  styleSources: readonly string[];
  encode: (coding: Coding) => Promise<Buffer>;
}

type DocumentRequest = Pick<PageRequest, 'selection' | 'release' | 'route' | 'pathAndQuery' | 'language'>;

export interface DocumentsDeps {
  settings: SiteSettings;
  baseUrl: () => string;
  /** Finds pages that were rendered ahead of time. Without it pages render in the browser alone. */
  prerendering?: Pick<Prerendering, 'find'> | undefined;
  /** Reads stylesheets for the document. Without it the document links them. */
  readStyle?: ReadStyle | undefined;
}

interface CachedDocument {
  isRendered: boolean;
  document: Promise<PageDocument>;
}

/** How much is kept, in bytes with all codings: all pages of this site for twenty choices. */
const MAX_CACHED = 64 * 1024 * 1024;

/** The size of a document with both its codings, relative to its text. */
const ENCODED_SIZE_FACTOR = 1.6;

/** The highest levels that take 3 ms for a page. The next level of brotli saves 0.2 % and takes 20 ms. */
const CACHED_COMPRESSION = { brotli: 8, gzip: 9 };

/** For documents that are sent once, to browsers with a cookie of QA, which any client can forge. */
const UNCACHED_COMPRESSION = { brotli: 2, gzip: 1 };

type Compression = typeof CACHED_COMPRESSION;

const ENCODERS: Record<Coding, (content: Buffer, compression: Compression) => Promise<Buffer>> = {
  br: (content, { brotli }) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotli } }),
  gzip: (content, { gzip: level }) => promisify(gzip)(content, { level }),
  identity: (content) => Promise.resolve(content),
};

/** Keeps what it composes: visitors share few selections, and few looks of a page, whatever an address says. */
export function createDocuments({ settings, baseUrl, prerendering, readStyle }: DocumentsDeps) {
  const documents = new LRUCache<string, CachedDocument>({ maxSize: MAX_CACHED });
  const numbers = new WeakMap<ReleaseSelection, number>();
  let selections = 0;

  function numberOf(selection: ReleaseSelection): number {
    const number = numbers.get(selection) ?? ++selections;
    numbers.set(selection, number);
    return number;
  }

  async function compose(
    request: DocumentRequest & { deviceInQuery: DeviceInQuery },
    rendered: string | undefined,
    compression = CACHED_COMPRESSION,
  ) {
    const { selection, release, route, language } = request;
    const shell = selection.units.get(SHELL)?.release;
    const styles = await readStyles(readStyle, [
      ...(shell?.css.map((file) => [shell, file] as const) ?? []),
      ...route.css.map((file) => [release, file] as const),
      ...(shell ? fontStylesOf(shell, language).map((file) => [shell, file] as const) : []),
    ]);
    const html = composePage({ ...request, settings, baseUrl: baseUrl(), rendered, styles });
    return presentDocument(html, styles, compression);
  }

  /** Sets the size of a document once it is composed; until then it counts next to nothing. */
  function keep(key: string, making: CachedDocument): void {
    documents.set(key, making, { size: 1 });
    making.document.then(
      ({ bytes }) =>
        documents.peek(key) === making &&
        // A copy, because the cache keeps the size of the very same object.
        documents.set(key, { ...making }, { size: Math.ceil(bytes * ENCODED_SIZE_FACTOR) }),
      () => documents.peek(key) === making && documents.delete(key),
    );
  }

  return {
    get(request: DocumentRequest): Promise<PageDocument> {
      const { selection, release, route, pathAndQuery, language } = request;
      const { theme, accent } = themeFor(pathAndQuery);
      const deviceInQuery = readDeviceInQuery(pathAndQuery);
      const shell = selection.units.get(SHELL)?.release;
      const find = () => shell && prerendering?.find(shell, release, route.path, deviceInQuery.device, language);
      if (isUncacheable(selection)) return compose({ ...request, deviceInQuery }, find(), UNCACHED_COMPRESSION);

      const looks = [titleOf(pathAndQuery, route.title), theme, accent, deviceInQuery.device, deviceInQuery.refusal];
      const key = [numberOf(selection), route.path, language, ...looks].join('\n');
      const cached = documents.get(key);
      if (cached?.isRendered) return cached.document;
      const rendered = find();
      if (cached && rendered === undefined) return cached.document;

      const document = compose({ ...request, deviceInQuery }, rendered);
      keep(key, { isRendered: rendered !== undefined, document });
      return document;
    },
  };
}

/** With pins, or a unit from its own computer, a browser gets a new selection with each request. */
export function isUncacheable({ qa }: ReleaseSelection): boolean {
  if (!qa) return false;
  const { pins, local, notice } = qa.publicState;
  return local !== undefined || notice !== undefined || Object.keys({ ...pins, ...qa.faults }).length > 0;
}

/** All stylesheets, or none when one of them cannot be inlined, because their order counts. */
async function readStyles(
  readStyle: ReadStyle | undefined,
  files: readonly (readonly [Release, string])[],
): Promise<InlineStyle[]> {
  if (!readStyle) return [];
  const styles = await Promise.all(files.map(([release, file]) => readStyle(release, file)));
  const found = styles.filter((style) => style !== undefined);
  return found.length === files.length ? found : [];
}

function presentDocument(html: string, styles: readonly InlineStyle[], compression: Compression): PageDocument {
  const content = Buffer.from(html);
  const encoded = new Map<Coding, Promise<Buffer>>();
  return {
    tag: createHash('sha256').update(content).digest('base64url').slice(0, 27),
    bytes: content.length,
    styleSources: styles.map(({ source }) => source),
    encode(coding) {
      let bytes = encoded.get(coding);
      if (!bytes) {
        bytes = ENCODERS[coding](content, compression);
        encoded.set(coding, bytes);
        // The next request tries again.
        bytes.catch(() => encoded.delete(coding));
      }
      return bytes;
    },
  };
}

/** Reads the text of a release's stylesheet; undefined when it cannot be inlined. */
export type ReadStyle = (release: Release, file: string) => Promise<InlineStyle | undefined>;

/** A whole `url(…)`: an inlined picture may contain another. It matches no nested one, so each is matched once. */
const URL_PATTERN = /url\(\s*(?:(["'])((?:(?!\1)[^\\]|\\.)*)\1|((?:[^"'()\s\\]|\\.)+))\s*\)/gis;

/** An address that is not relative to the stylesheet: it begins with a scheme, a slash or a hash. */
const ABSOLUTE_URL_PATTERN = /^(?:[a-z][a-z\d+.-]*:|\/|#|$)/i;

/** What would end the element, and characters that HTML changes, so that the policy would not allow the text. */
const NOT_INLINABLE_PATTERN = /<\/style|[\r\0]/i;

const BYTE_ORDER_MARK = /^\uFEFF/;

const MAX_STYLES = 200;

/** Relative addresses become absolute paths, because in a document they would be relative to the page. */
export function createReadStyle(folder: string): ReadStyle {
  const known = new Map<string, InlineStyle>();

  return async (release, file) => {
    const url = releaseUrl(release, file);
    const cached = known.get(url);
    if (cached) return cached;

    const published = await readListedFile(join(folder, release.unit, release.version), release, file);
    if (published === undefined) return undefined;
    const text = resolveUrls(published.replace(BYTE_ORDER_MARK, ''), release, file);
    if (NOT_INLINABLE_PATTERN.test(text)) return undefined;

    const source = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    if (known.size >= MAX_STYLES) known.clear();
    known.set(url, { url, text, source });
    return known.get(url);
  };
}

function resolveUrls(text: string, release: Release, file: string): string {
  return text.replace(URL_PATTERN, (whole, quote: string | undefined, quoted?: string, plain?: string) => {
    const path = quoted ?? plain ?? '';
    if (ABSOLUTE_URL_PATTERN.test(path)) return whole;
    return `url(${quote ?? ''}${releaseUrl(release, posix.join(posix.dirname(file), path))}${quote ?? ''})`;
  });
}
