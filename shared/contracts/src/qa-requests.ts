import * as v from 'valibot';
import { FAULTS } from './unit.ts';
import { keptPinsSchema, MAX_PINS } from './qa.ts';
import { unitSchema, versionSchema } from './release.ts';

/** What a unit is pinned to: one version, or whatever a channel names. */
export const pinSchema = v.union([v.picklist(['canary', 'stable']), versionSchema], 'must be a version or a channel');

const recordOfUnits = <Entry extends v.GenericSchema<unknown, string>>(entry: Entry) =>
  v.pipe(v.record(unitSchema, entry), v.maxEntries(MAX_PINS, `may name ${String(MAX_PINS)} units at most`));

const pinsSchema = recordOfUnits(pinSchema);
const faultsSchema = recordOfUnits(v.picklist(FAULTS));

/** The content of the cookie that pins. */
export const pinSessionSchema = v.object({ ...keptPinsSchema.entries, pins: pinsSchema, faults: faultsSchema });

/** `PUT /api/qa/pins`: what this browser gets from now on. */
export const pinChangeSchema = v.object({ pins: pinsSchema, faults: faultsSchema });
export type PinChange = v.InferOutput<typeof pinChangeSchema>;

/** `POST /api/qa/local`: the unit from the browser's own computer. Lower ports are those of its services. */
export const localUnitSchema = v.object({
  unit: unitSchema,
  port: v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(65_535)),
});
export type LocalUnit = v.InferOutput<typeof localUnitSchema>;

/** The content of the cookie for it. */
export const keptLocalUnitSchema = v.object({ ...localUnitSchema.entries, until: v.number() });

/** `POST /api/qa/access`: the access key. */
export const accessRequestSchema = v.object({ key: v.pipe(v.string(), v.maxLength(500)) });

/** `POST /api/qa/share`: a page of the site, with its query. */
export const shareRequestSchema = v.object({ path: v.pipe(v.string(), v.maxLength(2000)) });
