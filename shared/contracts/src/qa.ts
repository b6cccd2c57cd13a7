import * as v from 'valibot';
import { FAULTS } from './unit.ts';

/** The parameter of an address that pins versions: `?pin=key-system@1.4.0,tools@canary`. */
export const PIN_PARAMETER = 'pin';

export const MAX_PINS = 12;

/** The parameter beside it in a share link: what lets a browser without QA access have these pins. */
export const GRANT_PARAMETER = 'qa';

/** What pinned: a pin link, the panel, a link that QA has shared, or the link of a preview. */
const PINNED_BY = ['link', 'panel', 'share', 'preview'] as const;

/** What is pinned in a browser, by unit. Times are epoch milliseconds. */
export const keptPinsSchema = v.object({
  pins: v.record(v.string(), v.string()),
  faults: v.record(v.string(), v.picklist(FAULTS)),
  until: v.number(),
  by: v.picklist(PINNED_BY),
});
export type KeptPins = v.InferOutput<typeof keptPinsSchema>;

/** `GET /api/qa/pins`: what this browser may do, and what is pinned in it. */
export const qaStateSchema = v.object({
  access: v.boolean(),
  session: v.nullable(keptPinsSchema),
});
export type QaState = v.InferOutput<typeof qaStateSchema>;

/** The answer to `POST /api/qa/share`: a link with the pins of this browser, which works until a moment in epoch milliseconds. */
export const shareSchema = v.object({ link: v.string(), until: v.number() });
