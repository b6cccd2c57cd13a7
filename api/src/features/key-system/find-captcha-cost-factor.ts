import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import type { KeySystem } from './key-system.ts';
import { HOUR_MS } from './when-free.ts';

/**
 * How many times dearer a captcha is. Many people share a carrier's network, so a busy one pays more rather than being
 * shut out.
 */
export async function findCaptchaCostFactor({ runs, limits, now }: KeySystem, by: ClientIdentity): Promise<number> {
  const starts = await runs.countNetworkStarts(by, now() - HOUR_MS);
  return starts >= limits.networkStartsPerHour.soft ? limits.captchaCostFactor : 1;
}
