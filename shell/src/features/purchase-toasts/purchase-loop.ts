import type { Purchase } from '@app/contracts/purchases';

/** A toast every 8 s, each gone after 5 s, so never two at a time. */
export const BETWEEN_TOASTS_MS = 8000;
export const TOAST_STAYS_MS = 5000;

/** The purchases in their order, and which is shown next. */
export interface PurchaseLoop {
  purchases: readonly Purchase[];
  next: number;
}

export const EMPTY_LOOP: PurchaseLoop = { purchases: [], next: 0 };

/** New purchases take the place of the old; the loop begins anew. */
export function arrive(purchases: readonly Purchase[]): PurchaseLoop {
  return { purchases, next: 0 };
}

/** The purchase whose turn it is, if there are any. */
export function current({ purchases, next }: PurchaseLoop): Purchase | undefined {
  return purchases[next];
}

/** After the last comes the first. */
export function advance({ purchases, next }: PurchaseLoop): PurchaseLoop {
  return { purchases, next: purchases.length === 0 ? 0 : (next + 1) % purchases.length };
}
