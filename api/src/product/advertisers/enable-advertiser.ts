import type { AdvertiserId } from '@app/contracts/key-system';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createAdvertisersRepository } from './advertisers.repository.ts';

/**
 * Turns an advertiser on or off for all visitors, at once, and records that.
 * @returns false when it is so already
 */
export function enableAdvertiser(
  { db }: { db: Db },
  id: AdvertiserId,
  isEnabled: boolean,
  { by, at }: Act,
): Promise<boolean> {
  return transact(db, { advertisers: createAdvertisersRepository }, async (tx) => {
    const isTurned = await tx.advertisers.setEnabled(id, isEnabled);
    const code = isEnabled ? 'enabled' : 'disabled';
    if (isTurned) tx.record({ at, kind: 'advertiser', code, subject: null, detail: { advertiser: id, by } });
    return isTurned;
  });
}
