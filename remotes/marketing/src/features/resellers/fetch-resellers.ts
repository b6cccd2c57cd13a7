import { resellerSchema, type Reseller } from '@app/contracts/resellers';
import { fetchJson, postJson } from '@app/platform';

/**
 * Fetches the list of resellers.
 * @throws ApiError when the server answers with an error
 * @throws Error when the answer is not a list
 */
export async function fetchResellers(signal: AbortSignal): Promise<readonly Reseller[]> {
  return readResellers(await fetchJson('/api/resellers', { ...postJson({}), signal }));
}

/**
 * The resellers in an answer. Entries that are not resellers are left out.
 * @throws Error when the answer is not a list
 */
export function readResellers(body: unknown): Reseller[] {
  if (!Array.isArray(body)) throw new Error('The answer is not a list');

  return body.filter(isReseller);
}

function isReseller(entry: unknown): entry is Reseller {
  const result = resellerSchema['~standard'].validate(entry);
  return !(result instanceof Promise) && result.issues === undefined;
}
