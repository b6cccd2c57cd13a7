import type { Purchase } from '@app/contracts/purchases';

/** A toast appears every 8 s and stays for 5 s, so there are never two at a time. */
export const BETWEEN_TOASTS_MS = 8000;
export const TOAST_STAYS_MS = 5000;

/**
 * The purchase to show next; after the last one, the first again. Undefined when there are no purchases.
 * @param turn how many toasts were shown before
 */
export function purchaseAt(purchases: readonly Purchase[], turn: number): Purchase | undefined {
  return purchases[turn % purchases.length];
}
