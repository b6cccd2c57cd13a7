import { resellerSchema, type Reseller } from '@app/contracts/resellers';
import { fetchJson, postJson } from '@app/platform';

/** @throws when the list cannot be had */
export async function fetchResellers(signal: AbortSignal): Promise<readonly Reseller[]> {
  return readResellers(await fetchJson('/api/resellers', { ...postJson({}), signal }));
}

/**
 * An entry that is no reseller is passed over.
 * @throws when the answer is not a list
 */
export function readResellers(body: unknown): Reseller[] {
  if (!Array.isArray(body)) throw new Error('The answer is not a list');

  return body.filter(isReseller);
}

function isReseller(entry: unknown): entry is Reseller {
  const result = resellerSchema['~standard'].validate(entry);
  return !(result instanceof Promise) && result.issues === undefined;
}
