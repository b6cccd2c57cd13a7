import * as v from 'valibot';

/** A purchase as the feed of toasts shows it. */
export const purchaseSchema = v.object({
  name: v.string(),
  /** Seconds since the epoch. */
  timestamp: v.number(),
  location: v.string(),
  /** Two letters, or whatever stands in their place. */
  country_code: v.string(),
});
export type Purchase = v.InferOutput<typeof purchaseSchema>;
