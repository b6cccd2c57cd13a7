import * as v from 'valibot';

/** The name of a buyer whose name is not to be shown. */
export const UNNAMED_BUYER = 'Someone';

export const purchaseSchema = v.object({
  name: v.string(),
  /** Seconds since the epoch. */
  timestamp: v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e12)),
  location: v.string(),
  /** Two letters for most purchases. Any other text has no flag. */
  country_code: v.string(),
});
export type Purchase = v.InferOutput<typeof purchaseSchema>;
