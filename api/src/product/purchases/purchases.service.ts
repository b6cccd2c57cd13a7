import type { Purchase } from '@app/contracts/purchases';
import { buildDemoPurchases } from './demo-purchases.ts';
import { presentCode, presentDemo, presentOrder, type OpenBuyer } from './present-purchase.ts';
import type { PurchasesRepository } from './purchases.repository.ts';

/** How many purchases the feed has; it repeats from the beginning. */
const FEED_LENGTH = 20;

interface PurchasesDeps {
  purchases: PurchasesRepository;
  openBuyer: OpenBuyer;
  now: () => number;
}

export type PurchasesService = ReturnType<typeof createPurchasesService>;

/** Lists the purchases of the feed, and keeps its demo rows recent. */
export function createPurchasesService({ purchases, openBuyer, now }: PurchasesDeps) {
  return {
    /** The newest paid orders and redeemed codes, the newest first. Where there are none, the demo if there is one. */
    async listLatest(): Promise<Purchase[]> {
      const orders = await purchases.listNewestOrders(FEED_LENGTH);
      const codes = await purchases.listNewestRedemptions(FEED_LENGTH);
      if (orders.length === 0 && codes.length === 0) return (await purchases.listDemo(FEED_LENGTH)).map(presentDemo);

      return [
        ...orders.map((order) => ({ at: order.paidAt, present: () => presentOrder(order, openBuyer) })),
        ...codes.map((at) => ({ at, present: () => presentCode(at) })),
      ]
        .sort((one, other) => other.at - one.at)
        .slice(0, FEED_LENGTH)
        .map(({ present }) => present());
    },

    /** Called once, before the first request: makes the demo rows recent again, or removes them. */
    refreshDemo(isWanted: boolean): Promise<void> {
      return purchases.replaceDemo(isWanted ? buildDemoPurchases(now()) : []);
    },
  };
}
