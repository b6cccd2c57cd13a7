import * as v from 'valibot';

const count = v.number();

/** How the site is doing, for everyone. An advertiser may be new to the page. */
export const siteStatusSchema = v.object({
  /** The server's clock. */
  now: v.number(),
  /** The last UTC days, today last: in how many minutes of how many the site was up. None are known before its record. */
  days: v.array(v.object({ day: v.string(), up: count, of: count })),
  /** Keys handed out, by UTC day, as far as they are counted. */
  keys: v.object({ today: count, yesterday: count }),
  /** Left out while too few runs have been completed. */
  usualRunMs: v.optional(count),
  advertisers: v.array(v.object({ id: v.string(), ok: v.boolean() })),
});
export type SiteStatus = v.InferOutput<typeof siteStatusSchema>;
