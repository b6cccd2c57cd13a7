import { purchaseSchema, type Purchase } from '@app/contracts/purchases';
import { logFailure, postJson } from '@app/platform';
import * as v from 'valibot';

/** The recent purchases, or none: the feed is an ornament, so a failure is logged and nothing is shown. */
export async function fetchPurchases(): Promise<Purchase[]> {
  try {
    const response = await fetch('/api/latest-purchase', postJson({}));
    if (!response.ok) throw new Error(`The server answered ${response.status}`);

    return readPurchases(await response.json());
  } catch (error) {
    // The product's own words for it.
    logFailure('Failed to fetch purchase', error);
    return [];
  }
}

/** Used only when it is an array; an entry that is not a purchase is passed over. */
export function readPurchases(body: unknown): Purchase[] {
  if (!Array.isArray(body)) return [];

  return body.filter((entry): entry is Purchase => v.is(purchaseSchema, entry));
}
