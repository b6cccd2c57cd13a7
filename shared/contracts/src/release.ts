import * as v from 'valibot';

/** The parts of the product that are built, versioned and rolled back on their own. */
export const UNITS = ['shell', 'marketing', 'companion', 'key-system', 'tools'] as const;
export type Unit = (typeof UNITS)[number];
export type RemoteUnit = Exclude<Unit, 'shell'>;

/**
 * What a shell promises a remote: the shared packages, platform and design tokens.
 * Raise the major when something is taken away, the minor when something is added.
 */
export const CONTRACT_VERSION = '2.1';

const fileSchema = v.object({ sha384: v.string(), bytes: v.number() });

/** `release.json`, which the build writes last into each release. File names are relative to it. */
export const releaseSchema = v.object({
  unit: v.picklist(UNITS),
  version: v.string(),
  builtAt: v.string(),
  contract: v.object({ provides: v.optional(v.string()), requires: v.optional(v.string()) }),
  entry: v.object({ file: v.string(), globalName: v.optional(v.string()), integrity: v.string() }),
  /** Stylesheets that every page of the unit needs. */
  css: v.array(v.string()),
  /** What the unit's `routes.ts` says of each page (pages.ts), with the files that the page needs. */
  routes: v.array(
    v.object({
      path: v.string(),
      title: v.string(),
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

/** One version of every unit, as the server chose it for this visitor, written into the page as JSON. */
export const resolutionSchema = v.object({
  units: v.record(
    v.string(),
    v.object({
      version: v.string(),
      source: v.picklist(['stable', 'canary', 'pin', 'fallback']),
      entry: v.object({ url: v.string(), globalName: v.optional(v.string()), integrity: v.string() }),
      contract: v.optional(v.string()),
      routes: v.array(v.string()),
      /** Path to label of the title, where the words of the specification give none. */
      titles: v.optional(v.record(v.string(), v.string())),
    }),
  ),
});
export type Resolution = v.InferOutput<typeof resolutionSchema>;

/** The id of the JSON script that carries the resolution. */
export const RESOLUTION_ELEMENT_ID = 'resolution';
