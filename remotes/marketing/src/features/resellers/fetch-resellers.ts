import { resellerSchema, SAMPLE_RESELLERS, type Reseller } from '@app/contracts/resellers';
import { logFailure, postJson } from '@app/platform';

/** The shops, or the samples: a list that cannot be had is logged and stood in for. */
export async function fetchResellers(): Promise<readonly Reseller[]> {
  try {
    const response = await fetch('/api/resellers', postJson({}));
    if (!response.ok) throw new Error(`The server answered ${response.status}`);

    return readResellers(await response.json());
  } catch (error) {
    logFailure('Failed to fetch resellers', error);
    return SAMPLE_RESELLERS;
  }
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
