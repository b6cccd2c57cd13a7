import * as v from 'valibot';
import { FAULTS } from './faults.ts';
import { unitSchema, versionSchema } from './release.ts';

/** How many units can be pinned at once. */
const MOST_PINS = 12;

/** The parameter of an address that pins versions: `?pin=key-system@1.4.0,tools@canary`. */
export const PIN_PARAMETER = 'pin';

/** The parameter beside it in a share link: what lets a browser without QA access have these pins. */
export const GRANT_PARAMETER = 'qa';

/** What a unit is pinned to: one version, or whatever a channel names. */
const pinSchema = v.union([v.picklist(['canary', 'stable']), versionSchema], 'must be a version or a channel');

const few = <Entry extends v.GenericSchema<unknown, string>>(entry: Entry) =>
  v.pipe(v.record(unitSchema, entry), v.maxEntries(MOST_PINS, `may name ${String(MOST_PINS)} units at most`));

const pinsSchema = few(pinSchema);
const faultsSchema = few(v.picklist(FAULTS));

/** What pinned: a pin link, the panel, or a link that somebody with QA access has shared. */
const PINNED_BY = ['link', 'panel', 'share'] as const;

/** The content of the cookie that pins. Times are epoch milliseconds. */
export const pinSessionSchema = v.object({
  pins: pinsSchema,
  faults: faultsSchema,
  until: v.number(),
  by: v.picklist(PINNED_BY),
});
export type KeptPins = v.InferOutput<typeof pinSessionSchema>;

/** `PUT /api/qa/pins`: what this browser gets from now on. */
export const pinChangeSchema = v.object({ pins: pinsSchema, faults: faultsSchema });
export type PinChange = v.InferOutput<typeof pinChangeSchema>;

/** `GET /api/qa/pins`: what this browser may do, and what is pinned in it. */
export const qaStateSchema = v.object({
  /** Whether this browser has QA access. */
  access: v.boolean(),
  session: v.nullable(pinSessionSchema),
});
export type QaState = v.InferOutput<typeof qaStateSchema>;

/** `POST /api/qa/access`: the access key. */
export const accessRequestSchema = v.object({ key: v.pipe(v.string(), v.maxLength(500)) });

/** `POST /api/qa/share`: a page of the site, with its query. */
export const shareRequestSchema = v.object({ path: v.pipe(v.string(), v.maxLength(2000)) });

/** The answer to it: a link with the pins of this browser, which works until a moment in epoch milliseconds. */
export const shareSchema = v.object({ link: v.string(), until: v.number() });
