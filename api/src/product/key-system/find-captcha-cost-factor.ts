import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { KeySystem } from './key-system.ts';
import { HOUR_MS } from './when-free.ts';

/**
 * Finds how many times the usual price a captcha costs a client. Many people share a carrier's network, so from a busy
 * network captchas cost more, instead of being refused.
 */
export async function findCaptchaCostFactor({ runs, limits, now }: KeySystem, by: ClientIdentity): Promise<number> {
  const starts = await runs.countNetworkStarts(by, now() - HOUR_MS);
  return starts >= limits.networkStartsPerHour.soft ? limits.captchaCostFactor : 1;
}
