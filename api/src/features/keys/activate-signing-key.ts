import type { Db } from '#api/db/schema.ts';
import { undo } from '#api/features/audit/transact.ts';
import { isOfAnotherKey, whyRefused, type SigningKeyRefusal } from './signing-key-refusal.ts';
import type { PublicHalf } from './signing-keys.repository.ts';
import { transact } from './transact.ts';

export interface Activation {
  /** Epoch milliseconds. */
  at: number;
  /** Until when the key that it takes over from stays published, epoch milliseconds. */
  oldUntil: number;
  /** It signs at once, and every other key is withdrawn at once: somebody else may have it. */
  isEmergency: boolean;
}

export type ActivatedKey = { kind: 'active' } | SigningKeyRefusal;

/** Makes a key the one that signs. It changes nothing where it is that already, or may not be it. */
export function activateSigningKey(
  { db }: { db: Db },
  key: PublicHalf,
  { at, oldUntil, isEmergency }: Activation,
): Promise<ActivatedKey> {
  return transact<ActivatedKey>(db, async (tx) => {
    const before = await tx.signingKeys.find(key.kid);
    if (isOfAnotherKey(before, key)) return { kind: 'taken' };
    if (before?.status === 'active') return { kind: 'active' };

    await tx.signingKeys.retireOthers(key, isEmergency ? at : oldUntil);
    // The very first key signs at once, as nobody can know another one; and so does one in an emergency.
    if (!(await tx.signingKeys.promote(key, at, isEmergency)) && (isEmergency || !(await tx.signingKeys.hasSigner())))
      await tx.signingKeys.add({ ...key, status: 'active', notBefore: at, notAfter: null });

    const row = await tx.signingKeys.find(key.kid);
    if (isOfAnotherKey(row, key)) return undo({ kind: 'taken' });
    if (row?.status !== 'active') return undo(whyRefused(row, at));

    // What nobody can check any more is worth nothing; its owners may earn another one at once.
    const revoked = isEmergency ? await tx.keys.revokeSignedByOthers(key.kid, 'signing key withdrawn', at) : 0;
    const detail = { kid: key.kid, emergency: isEmergency, revoked };
    tx.record({ at, kind: 'signing_key', code: 'activated', subject: null, detail });
    return { kind: 'active' };
  });
}
