import type { Purchase } from '@app/contracts/purchases';

/** A toast every 8 s, each gone after 5 s, so never two at a time. */
export const BETWEEN_TOASTS_MS = 8000;
export const TOAST_STAYS_MS = 5000;

/**
 * The purchase whose turn it is, if there are any. After the last comes the first.
 * @param turn how many were shown before
 */
export function purchaseAt(purchases: readonly Purchase[], turn: number): Purchase | undefined {
  return purchases[turn % purchases.length];
}
