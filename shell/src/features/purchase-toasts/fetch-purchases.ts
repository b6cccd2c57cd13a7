import { purchaseSchema, type Purchase } from '@app/contracts/purchases';
import { fetchJson, postJson } from '@app/platform';
import * as v from 'valibot';

/**
 * The recent purchases.
 * @throws when they cannot be had
 */
export async function fetchPurchases(signal: AbortSignal): Promise<Purchase[]> {
  return readPurchases(await fetchJson('/api/latest-purchase', { ...postJson({}), signal }));
}

/** Used only when it is an array; an entry that is not a purchase is passed over. */
export function readPurchases(body: unknown): Purchase[] {
  if (!Array.isArray(body)) return [];

  return body.filter((entry): entry is Purchase => v.is(purchaseSchema, entry));
}
