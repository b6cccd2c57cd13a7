import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { themeFor, titleOf } from '@app/contracts/document';
import { SHELL, type Release } from '@app/contracts/release';
import type { SiteSettings } from '@app/contracts/site-settings';
import type { Choice } from '#api/features/releases/choose-releases.ts';
import type { Prerendering } from '#api/features/releases/rendering/prerendering.ts';
import type { Coding } from '#api/http/accept-encoding.ts';
import { composePage } from './compose.ts';
import { namedIn, type NamedInAddress } from './named-in-address.ts';
import type { InlineStyle, ReadStyle } from './inline-styles.ts';

/** A page's document as it is sent. */
export interface PageDocument {
  /** Names its content, without the coding. */
  tag: string;
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

/** Brotli's effort: the most that is done within a few milliseconds for a page. */
const QUALITY = 9;

const ENCODERS: Record<Coding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  gzip: (content) => promisify(gzip)(content, { level: 9 }),
  identity: (content) => Promise.resolve(content),
};

/**
 * Creates what composes documents and keeps them, by choice and page. Visitors share few choices, and a page has few
 * titles, colours and kinds of addresses, so few documents are kept; those of a choice go with it.
 */
export function createDocuments({ settings, baseUrl, prerendering, readStyle }: DocumentsDeps) {
  const documents = new WeakMap<Choice, Map<string, Kept>>();

  async function compose(
    { choice, release, route, pathAndQuery, named }: Asked & { named: NamedInAddress },
    rendered: string | undefined,
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
    return presentDocument(html, styles);
  }

  return {
    get(asked: Asked): Promise<PageDocument> {
      const { choice, release, route, pathAndQuery } = asked;
      const { theme, accent } = themeFor(pathAndQuery);
      const named = namedIn(pathAndQuery);
      const key = [route.path, titleOf(pathAndQuery, route.title), theme, accent, named.device, named.refusal].join(
        '\n',
      );
      let pages = documents.get(choice);
      if (!pages) documents.set(choice, (pages = new Map<string, Kept>()));

      const kept = pages.get(key);
      if (kept?.isRendered) return kept.document;
      const shell = choice.units.get(SHELL)?.release;
      const rendered = shell && prerendering?.find(shell, release, route.path, named.device);
      if (kept && rendered === undefined) return kept.document;

      const document = compose({ ...asked, named }, rendered);
      pages.set(key, { isRendered: rendered !== undefined, document });
      return document;
    },
  };
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

function presentDocument(html: string, styles: readonly InlineStyle[]): PageDocument {
  const content = Buffer.from(html);
  const encoded = new Map<Coding, Promise<Buffer>>();
  return {
    tag: createHash('sha256').update(content).digest('base64url').slice(0, 27),
    styleSources: styles.map(({ source }) => source),
    encode(coding) {
      let bytes = encoded.get(coding);
      if (!bytes) encoded.set(coding, (bytes = ENCODERS[coding](content)));
      return bytes;
    },
  };
}
