import * as v from 'valibot';
import type { Unit } from './unit.ts';

/** The file of a release that renders its pages on the server. It is never sent to a client. */
export const SERVER_BUNDLE = 'server.cjs';

/** Its source map, which names the lines of what a page throws. It is not sent to clients either. */
export const SERVER_MAP = `${SERVER_BUNDLE}.map`;

/** The file of a build with the licences of the packages in it; also the address that leads to those of all releases. */
export const THIRD_PARTY_NOTICES = 'third-party-notices.txt';

export const unitSchema = v.pipe(
  v.string(),
  v.maxLength(40, 'is too long'),
  v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must consist of lower-case words with hyphens between them'),
);

/** A version as Semantic Versioning 2 has it, without build metadata. */
export const versionSchema = v.pipe(
  v.string(),
  v.maxLength(80, 'is too long'),
  v.regex(
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/,
    'must be a version such as 1.4.0',
  ),
);

/** The version of a preview, such as `0.3.0-preview.0a1b2c3d4e5f`: the version in the working copy, and the commit. */
const PREVIEW = /-preview\.[0-9A-Za-z]+$/;

/** Whether a version is that of a preview, which no channel may name and which is removed when it ends. */
export function isPreview(version: string): boolean {
  return PREVIEW.test(version);
}

const contractVersionSchema = v.pipe(v.string(), v.regex(/^\d+\.\d+$/, 'must be a version such as 2.1'));

/** Package name → the names that are exported by it, or imported from it. */
const namesSchema = v.record(v.string(), v.array(v.string()));

/** What a unit expects of the others. The shell's says what it provides, a remote's what it requires. */
export const contractSchema = v.object({
  version: contractVersionSchema,
  /** The shell: what it gives of each shared package. */
  provides: v.optional(namesSchema),
  /** A remote: what it imports from each shared package. `*` stands for a package that is used as a whole. */
  requires: v.optional(namesSchema),
  /** Package name → the version that the shell shares, or that a remote was built with. Earlier builds have none. */
  versions: v.optional(v.record(v.string(), versionSchema)),
});
export type HostApi = v.InferOutput<typeof contractSchema>;

/** A language as in `lang` of HTML, such as `vi`. */
const languageSchema = v.pipe(v.string(), v.regex(/^[a-z]{2,3}$/, 'must be a language such as vi'));

const fileSchema = v.object({ sha384: v.string(), bytes: v.pipe(v.number(), v.integer(), v.minValue(0)) });

/** `release.json`, the last file that the build writes into a release. File names are relative to it. */
export const releaseSchema = v.object({
  unit: unitSchema,
  version: versionSchema,
  /** The commit that it was built from; null when the working copy had changes, or where there is no repository. */
  commit: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{7,64}$/, 'must be a commit'))),
  contract: contractSchema,
  entry: v.object({
    file: v.string(),
    globalName: v.optional(v.string()),
    integrity: v.string(),
    /** Of a shell that fetches its texts in other languages itself. For those of earlier builds the document runs them. */
    fetchesTexts: v.optional(v.literal(true)),
  }),
  css: v.array(v.string()),
  /** The lines of the unit's `routes.ts` (see `RouteEntry`), with the files that each page needs. */
  routes: v.array(
    v.object({
      path: v.string(),
      title: v.string(),
      /** Releases of earlier builds have none. */
      shareTitle: v.optional(v.string()),
      description: v.string(),
      picture: v.string(),
      canonical: v.nullable(v.string()),
      app: v.optional(v.object({ name: v.string(), operatingSystem: v.string() })),
      firstCall: v.optional(
        v.pipe(
          v.string(),
          v.regex(/^\/api\/[\w/-]+(\?[\w=&{}?-]+)?$/, 'must be a call such as /api/state?hwid={hwid}'),
        ),
      ),
      preload: v.array(v.string()),
      css: v.array(v.string()),
    }),
  ),
  /** The texts of the unit in other languages, by language: what a page runs and applies before the unit. */
  translations: v.optional(
    v.pipe(
      v.record(
        languageSchema,
        v.object({
          script: v.string(),
          /** The shell's: the stylesheet with the fonts of the language, and their files. */
          css: v.optional(v.string()),
          fonts: v.optional(v.array(v.string())),
        }),
      ),
      // Every page is rendered in each.
      v.maxEntries(10, 'are more than ten languages'),
    ),
  ),
  files: v.record(v.string(), fileSchema),
});
export type Release = v.InferOutput<typeof releaseSchema>;

/** A file whose name has the hash of its content: it is the same file in every release of the unit that lists it. */
export const HASHED_NAME = /\.[0-9a-f]{8}\.[a-z0-9]+$/;

/** A hashed name needs no version, so visitors fetch a file once that several releases have. */
export function releaseUrl({ unit, version }: Pick<Release, 'unit' | 'version'>, file: string): string {
  return HASHED_NAME.test(file) ? `/releases/${unit}/${file}` : `/releases/${unit}/${version}/${file}`;
}

/** The global name of a unit's container. It contains the version, so that a page can load two versions of a unit. */
export function containerNameOf(unit: Unit, version: string): string {
  return `${unit}__${version}`.replaceAll(/[^A-Za-z0-9]/g, '_');
}

/** How long a preview lasts, in days. */
export const PREVIEW_DAYS = { usual: 7, most: 30 };
