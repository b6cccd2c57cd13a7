import type { PurchaseRow } from '#api/db/schema.ts';
import { buildDemoPurchases } from './demo-purchases.ts';
import type { PurchasesRepository } from './purchases.repository.ts';

/** How many purchases the feed has; it repeats from the beginning. */
const FEED_LENGTH = 20;

export type PurchasesService = ReturnType<typeof createPurchasesService>;

/** Lists the purchases of the feed, and keeps its demo rows recent. */
export function createPurchasesService({ purchases, now }: { purchases: PurchasesRepository; now: () => number }) {
  return {
    listLatest(): Promise<PurchaseRow[]> {
      return purchases.listNewest(FEED_LENGTH);
    },

    /** Called once, before the first request: makes the demo rows recent again, or removes them. */
    refreshDemo(isWanted: boolean): Promise<void> {
      return purchases.replaceDemo(isWanted ? buildDemoPurchases(now()) : []);
    },
  };
}
