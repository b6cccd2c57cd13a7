import * as v from 'valibot';
import { FAULTS } from './faults.ts';
import { CONTRACT_VERSION, RESOLUTION_ELEMENT_ID, SERVER_BUNDLE, SHELL, type Unit } from './unit-names.ts';

export { CONTRACT_VERSION, RESOLUTION_ELEMENT_ID, SERVER_BUNDLE, SHELL, type Unit };

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
});
export type Contract = v.InferOutput<typeof contractSchema>;

const fileSchema = v.object({ sha384: v.string(), bytes: v.pipe(v.number(), v.integer(), v.minValue(0)) });

/** `release.json`, the last file that the build writes into a release. File names are relative to it. */
export const releaseSchema = v.object({
  unit: unitSchema,
  version: versionSchema,
  /** The commit that it was built from; null when the working copy had changes, or where there is no repository. */
  commit: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{7,64}$/, 'must be a commit'))),
  contract: contractSchema,
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

/** The global name of a unit's container. It contains the version, so that a page can load two versions of a unit. */
export function containerNameOf(unit: Unit, version: string): string {
  return `${unit}__${version}`.replaceAll(/[^A-Za-z0-9]/g, '_');
}

/** Why a visitor gets the version of a unit that they get. */
export const SOURCES = ['stable', 'canary', 'pin', 'fallback'] as const;
export type Source = (typeof SOURCES)[number];

const entrySchema = v.object({ url: v.string(), globalName: v.optional(v.string()), integrity: v.string() });

/** One version of every unit. The server chooses them for each page and writes them into its HTML as JSON. */
export const resolutionSchema = v.object({
  /** Grows with each move of a channel. */
  revision: v.number(),
  units: v.record(
    v.string(),
    v.object({
      version: v.string(),
      source: v.picklist(SOURCES),
      entry: entrySchema,
      /** The version of the contract: the shell provides it, a remote requires it. */
      contract: v.optional(v.string()),
      routes: v.array(v.string()),
      /** The labels of the titles by path, for pages whose title the specification does not give. */
      titles: v.optional(v.record(v.string(), v.string())),
      /** The version to load when this one fails, if there is another that was good. */
      lastGood: v.optional(v.object({ version: v.string(), entry: entrySchema, contract: v.optional(v.string()) })),
      /** The fault that somebody with QA access simulates in this browser. */
      fault: v.optional(v.picklist(FAULTS)),
    }),
  ),
  /** Only for browsers with QA access or pins: what is pinned here. */
  qa: v.optional(
    v.object({
      /** Whether this browser has QA access. Without it, somebody has shared the pins. */
      access: v.optional(v.boolean()),
      /** What was asked for, such as `1.4.0` or `canary`, by unit. */
      pins: v.record(v.string(), v.string()),
      /** When the pins end, in epoch milliseconds. */
      until: v.optional(v.number()),
      /** Why pins that were asked for are not there. */
      notice: v.optional(v.string()),
    }),
  ),
});
export type Resolution = v.InferOutput<typeof resolutionSchema>;
export type ResolvedUnit = Resolution['units'][string];
