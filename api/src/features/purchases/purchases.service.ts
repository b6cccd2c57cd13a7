import type { PurchaseRow } from '#api/db/schema.ts';
import { buildDemoPurchases } from './demo-purchases.ts';
import type { PurchasesRepository } from './purchases.repository.ts';

/** The feed goes round in circles; nobody watches more of it than this. */
const FEED_LENGTH = 20;

export type PurchasesService = ReturnType<typeof createPurchasesService>;

export function createPurchasesService({ purchases, now }: { purchases: PurchasesRepository; now: () => number }) {
  return {
    listLatest(): Promise<PurchaseRow[]> {
      return purchases.listNewest(FEED_LENGTH);
    },

    /** Called once, before the first request: demo rows are as old as on the first day, or gone. */
    refreshDemo(isWanted: boolean): Promise<void> {
      return purchases.replaceDemo(isWanted ? buildDemoPurchases(now()) : []);
    },
  };
}
