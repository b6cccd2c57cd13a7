import { purchaseSchema, type Purchase } from '@app/contracts/purchases';
import { fetchJson, postJson } from '@app/platform';
import * as v from 'valibot';

/** @throws ApiError when the server answers with an error */
export async function fetchPurchases(signal: AbortSignal): Promise<Purchase[]> {
  return readPurchases(await fetchJson('/api/latest-purchase', { ...postJson({}), signal }));
}

export function readPurchases(body: unknown): Purchase[] {
  if (!Array.isArray(body)) return [];

  return body.filter((entry): entry is Purchase => v.is(purchaseSchema, entry));
}
