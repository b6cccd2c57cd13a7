import * as v from 'valibot';

/** The units: the parts of the product that are built, versioned and rolled back on their own. */
export const UNITS = ['shell', 'marketing', 'companion', 'key-system', 'tools'] as const;
export type Unit = (typeof UNITS)[number];
export type RemoteUnit = Exclude<Unit, 'shell'>;

/**
 * The version of the contract: the shared packages, platform and design tokens that the shell gives to remotes.
 * Raise the major when you remove something, the minor when you add something.
 */
export const CONTRACT_VERSION = '2.2';

const fileSchema = v.object({ sha384: v.string(), bytes: v.number() });

/** `release.json`, the last file that the build writes into a release. File names are relative to it. */
export const releaseSchema = v.object({
  unit: v.picklist(UNITS),
  version: v.string(),
  builtAt: v.string(),
  contract: v.object({ provides: v.optional(v.string()), requires: v.optional(v.string()) }),
  entry: v.object({ file: v.string(), globalName: v.optional(v.string()), integrity: v.string() }),
  /** Stylesheets that every page of the unit needs. */
  css: v.array(v.string()),
  /** The lines of the unit's `routes.ts` (see `PageLine`), with the files that each page needs. */
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
      preload: v.array(v.string()),
      css: v.array(v.string()),
    }),
  ),
  files: v.record(v.string(), fileSchema),
});
export type Release = v.InferOutput<typeof releaseSchema>;

/** One version of every unit. The server chooses them for each page and writes them into its HTML as JSON. */
export const resolutionSchema = v.object({
  units: v.record(
    v.string(),
    v.object({
      version: v.string(),
      source: v.picklist(['stable', 'canary', 'pin', 'fallback']),
      entry: v.object({ url: v.string(), globalName: v.optional(v.string()), integrity: v.string() }),
      contract: v.optional(v.string()),
      routes: v.array(v.string()),
      /** The labels of the titles by path, for pages whose title the specification does not give. */
      titles: v.optional(v.record(v.string(), v.string())),
    }),
  ),
});
export type Resolution = v.InferOutput<typeof resolutionSchema>;

/** The id of the script element that contains the resolution. */
export const RESOLUTION_ELEMENT_ID = 'resolution';
