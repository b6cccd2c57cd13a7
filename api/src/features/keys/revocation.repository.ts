import type { Db, KeyRow } from '#api/db/schema.ts';
import { appendAudit, type Act } from '#api/features/audit/append-audit.ts';

export type RevocationRepository = ReturnType<typeof createRevocationRepository>;

type RevokedKey = Pick<KeyRow, 'jti' | 'appId' | 'deviceId'>;

/** Ends keys before their time. An app that checks a key by itself hears of it only when it asks. */
export function createRevocationRepository(db: Db) {
  return {
    /** Revokes one key, unless it is revoked already. */
    async revokeKey(jti: string, reason: string, act: Act): Promise<RevokedKey | undefined> {
      const [revoked] = await db
        .transaction()
        .execute(async (trx) =>
          record(trx, reason, act, await markRevoked(trx, reason, act).where('jti', '=', jti).execute()),
        );
      return revoked;
    },

    /** Revokes every key of these devices that still works. */
    revokeDevices(deviceIds: readonly string[], reason: string, act: Act): Promise<RevokedKey[]> {
      return db
        .transaction()
        .execute(async (trx) =>
          record(
            trx,
            reason,
            act,
            await markRevoked(trx, reason, act)
              .where('deviceId', 'in', deviceIds)
              .where('expiresAt', '>', act.at)
              .execute(),
          ),
        );
    },
  };
}

function markRevoked(trx: Db, reason: string, { at }: Act) {
  return trx
    .updateTable('accessKey')
    .set({ revokedAt: at, revokeReason: reason })
    .where('revokedAt', 'is', null)
    .returning(['jti', 'appId', 'deviceId']);
}

async function record(trx: Db, reason: string, { by, at }: Act, revoked: RevokedKey[]): Promise<RevokedKey[]> {
  for (const { jti, appId, deviceId } of revoked) {
    await appendAudit(trx, {
      at,
      kind: 'key',
      code: 'revoked',
      subject: deviceId,
      detail: { jti, app: appId, reason, by },
    });
  }
  return revoked;
}
