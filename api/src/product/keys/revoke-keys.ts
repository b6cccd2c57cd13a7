import type { Db } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { transact, type EventRecorder } from '#api/foundation/audit/transact.ts';
import { createKeysRepository, type RevokedKey, type WhichKeys } from './keys.repository.ts';

/** Gives the keys that this call revoked. An app that checks a key offline does not notice. */
export function revokeKeys(
  { db }: { db: Db },
  which: WhichKeys,
  reason: string,
  { by, at }: Act,
): Promise<RevokedKey[]> {
  return transact(db, { keys: createKeysRepository }, async (tx) => {
    const revoked = await tx.keys.revoke(which, reason, at);
    recordRevoked(tx, revoked, { reason, at, by });
    return revoked;
  });
}

export function recordRevoked(
  { record }: EventRecorder,
  revoked: readonly RevokedKey[],
  { reason, at, by }: { reason: string; at: number; by?: string },
): void {
  for (const { jti, appId, deviceId: subject } of revoked)
    record({
      at,
      subject,
      kind: 'key',
      code: 'revoked',
      detail: { jti, app: appId, reason, ...(by !== undefined && { by }) },
    });
}
