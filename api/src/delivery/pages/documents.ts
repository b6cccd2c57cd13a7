import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { themeFor, titleOf } from '@app/contracts/document';
import { SHELL, type Release } from '@app/contracts/release';
import type { SiteSettings } from '@app/contracts/site-settings';
import { LRUCache } from 'lru-cache';
import type { Choice } from '#api/delivery/serving/visitor-choice.ts';
import type { Prerendering } from '#api/delivery/rendering/prerendering.ts';
import type { Coding } from '#api/foundation/http/headers.ts';
import { composePage, readDeviceQuery, type DeviceInQuery } from './compose.ts';
import type { InlineStyle, ReadStyle } from './inline-styles.ts';

/** A page's document as it is sent. */
export interface PageDocument {
  /** Names its content, without the coding. */
  tag: string;
  /** Its size, without coding. */
  bytes: number;
  /** What allows its stylesheets in the policy. */
  styleSources: readonly string[];
  /** Gives it in a coding. It is compressed once. */
  encode: (coding: Coding) => Promise<Buffer>;
}

interface Asked {
  choice: Choice;
  release: Release;
  route: Release['routes'][number];
  /** Path with query, as the visitor asked. */
  pathAndQuery: string;
}

export interface DocumentsDeps {
  settings: SiteSettings;
  /** The site's own origin. */
  baseUrl: () => string;
  /** Knows the pages that were rendered ahead of time. Without it pages render in the browser alone. */
  prerendering?: Pick<Prerendering, 'find'> | undefined;
  /** Reads stylesheets to stand in the document. Without it the document links them. */
  readStyle?: ReadStyle | undefined;
}

interface Kept {
  isRendered: boolean;
  document: Promise<PageDocument>;
}

/** So much is kept, in bytes with all codings: all pages of this site for twenty choices. */
const MOST_KEPT = 64 * 1024 * 1024;

/** What a document weighs with both its codings, compared with its text. */
const WITH_CODINGS = 1.6;

/** How much is done to make a document small. */
interface Effort {
  brotli: number;
  gzip: number;
}

/** The most that takes 3 ms for a page. With the next step of brotli the page is 0.2 % smaller, and takes 20 ms. */
const FOR_ALL: Effort = { brotli: 8, gzip: 9 };

/** What is sent once, to whoever has a cookie of QA: anybody can write one that has ended. */
const FOR_ONE: Effort = { brotli: 2, gzip: 1 };

const ENCODERS: Record<Coding, (content: Buffer, effort: Effort) => Promise<Buffer>> = {
  br: (content, { brotli }) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotli } }),
  gzip: (content, { gzip: level }) => promisify(gzip)(content, { level }),
  identity: (content) => Promise.resolve(content),
};

/**
 * Creates what composes documents and keeps them, by choice and page. Visitors share few choices, and a page has few
 * titles, colours and kinds of addresses, whatever a query says.
 */
export function createDocuments({ settings, baseUrl, prerendering, readStyle }: DocumentsDeps) {
  const documents = new LRUCache<string, Kept>({ maxSize: MOST_KEPT });
  const numbers = new WeakMap<Choice, number>();
  let choices = 0;

  function numberOf(choice: Choice): number {
    const number = numbers.get(choice) ?? ++choices;
    numbers.set(choice, number);
    return number;
  }

  async function compose(
    { choice, release, route, pathAndQuery, named }: Asked & { named: DeviceInQuery },
    rendered: string | undefined,
    effort = FOR_ALL,
  ) {
    const shell = choice.units.get(SHELL)?.release;
    const styles = await readStyles(readStyle, [
      ...(shell?.css.map((file) => [shell, file] as const) ?? []),
      ...route.css.map((file) => [release, file] as const),
    ]);
    const html = composePage({
      choice,
      release,
      route,
      pathAndQuery,
      settings,
      baseUrl: baseUrl(),
      rendered,
      styles,
      named,
    });
    return presentDocument(html, styles, effort);
  }

  /** Weighs a document when it is composed. Until then it weighs as good as nothing. */
  function keep(key: string, making: Kept): void {
    documents.set(key, making, { size: 1 });
    making.document.then(
      ({ bytes }) =>
        documents.peek(key) === making &&
        // A copy: the cache weighs nothing anew that is the very same object.
        documents.set(key, { ...making }, { size: Math.ceil(bytes * WITH_CODINGS) }),
      () => documents.peek(key) === making && documents.delete(key),
    );
  }

  return {
    get(asked: Asked): Promise<PageDocument> {
      const { choice, release, route, pathAndQuery } = asked;
      const { theme, accent } = themeFor(pathAndQuery);
      const named = readDeviceQuery(pathAndQuery);
      const shell = choice.units.get(SHELL)?.release;
      const find = () => shell && prerendering?.find(shell, release, route.path, named.device);
      if (isMadeForOneRequest(choice)) return compose({ ...asked, named }, find(), FOR_ONE);

      const looks = [titleOf(pathAndQuery, route.title), theme, accent, named.device, named.refusal];
      const key = [numberOf(choice), route.path, ...looks].join('\n');
      const kept = documents.get(key);
      if (kept?.isRendered) return kept.document;
      const rendered = find();
      if (kept && rendered === undefined) return kept.document;

      const document = compose({ ...asked, named }, rendered);
      keep(key, { isRendered: rendered !== undefined, document });
      return document;
    },
  };
}

/** Whoever has pinned something gets a choice of their own with each request. To keep what is made of it helps nobody. */
function isMadeForOneRequest({ qa }: Choice): boolean {
  if (!qa) return false;
  const { pins, notice } = qa.told;
  return notice !== undefined || Object.keys({ ...pins, ...qa.faults }).length > 0;
}

/** All stylesheets, or none when one of them cannot stand in the document: their order counts. */
async function readStyles(
  readStyle: ReadStyle | undefined,
  files: readonly (readonly [Release, string])[],
): Promise<InlineStyle[]> {
  if (!readStyle) return [];
  const styles = await Promise.all(files.map(([release, file]) => readStyle(release, file)));
  const found = styles.filter((style) => style !== undefined);
  return found.length === files.length ? found : [];
}

function presentDocument(html: string, styles: readonly InlineStyle[], effort: Effort): PageDocument {
  const content = Buffer.from(html);
  const encoded = new Map<Coding, Promise<Buffer>>();
  return {
    tag: createHash('sha256').update(content).digest('base64url').slice(0, 27),
    bytes: content.length,
    styleSources: styles.map(({ source }) => source),
    encode(coding) {
      let bytes = encoded.get(coding);
      if (!bytes) {
        bytes = ENCODERS[coding](content, effort);
        encoded.set(coding, bytes);
        // What has failed once may succeed the next time.
        bytes.catch(() => encoded.delete(coding));
      }
      return bytes;
    },
  };
}
