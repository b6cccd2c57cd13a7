import * as v from 'valibot';
import { FAULTS } from './unit.ts';

export { RESOLUTION_ELEMENT_ID } from './unit.ts';

/** Why a visitor gets the version of a unit that they get. */
export const SOURCES = ['stable', 'canary', 'pin', 'fallback', 'local'] as const;
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
      /** The version of the host API: the shell provides it, a remote requires it. */
      contract: v.optional(v.string()),
      routes: v.array(v.string()),
      /** The labels of the titles by path, for pages whose title the specification does not give. */
      titles: v.optional(v.record(v.string(), v.string())),
      /** The script with its texts in the language of the page. */
      translations: v.optional(v.object({ url: v.string(), integrity: v.string() })),
      /** The version to load when this one fails, if there is another that was good. */
      lastGood: v.optional(v.object({ version: v.string(), entry: entrySchema, contract: v.optional(v.string()) })),
      fault: v.optional(v.picklist(FAULTS)),
    }),
  ),
  /** Only for browsers with QA access or pins: what is pinned here. */
  qa: v.optional(
    v.object({
      /** Whether this browser has QA access. Without it, the pins were shared with this browser. */
      access: v.optional(v.boolean()),
      /** What was asked for, such as `1.4.0` or `canary`, by unit. */
      pins: v.record(v.string(), v.string()),
      /** When the pins end, in epoch milliseconds. */
      until: v.optional(v.number()),
      /** The unit that comes from the computer of this browser, and the origin there. */
      local: v.optional(v.object({ unit: v.string(), origin: v.string() })),
      /** Why pins that were asked for are not there. */
      notice: v.optional(v.string()),
    }),
  ),
});
export type Resolution = v.InferOutput<typeof resolutionSchema>;
export type ResolvedUnit = Resolution['units'][string];
