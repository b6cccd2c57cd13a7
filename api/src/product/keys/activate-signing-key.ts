import type { Db } from '#api/foundation/db/schema.ts';
import { rollBack } from '#api/foundation/audit/transact.ts';
import { isOfAnotherKey, whyRefused, type SigningKeyRefusal } from './signing-key-refusal.ts';
import type { PublicHalf } from './signing-keys.repository.ts';
import { transact } from './transact.ts';

export interface Activation {
  /** Epoch milliseconds. */
  at: number;
  /** Until when the former key stays published, in epoch milliseconds. */
  oldUntil: number;
  /** The key signs at once and all other keys are withdrawn at once, because somebody else may have them. */
  isEmergency: boolean;
}

export type ActivatedKey = { kind: 'active' } | SigningKeyRefusal;

/** Makes a key the active one. It changes nothing when the key is active already, or is refused. */
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
    // The first key of a site signs at once, because no app knows another one. In an emergency a key signs at once,
    // too.
    if (!(await tx.signingKeys.promote(key, at, isEmergency)) && (isEmergency || !(await tx.signingKeys.hasSigner())))
      await tx.signingKeys.add({ ...key, status: 'active', notBefore: at, notAfter: null });

    const row = await tx.signingKeys.find(key.kid);
    if (isOfAnotherKey(row, key)) return rollBack({ kind: 'taken' });
    if (row?.status !== 'active') return rollBack(whyRefused(row, at));

    // Keys signed by a withdrawn key cannot be checked any more. Their owners may earn new ones at once.
    const revoked = isEmergency ? await tx.keys.revokeSignedByOthers(key.kid, 'signing key withdrawn', at) : 0;
    const detail = { kid: key.kid, emergency: isEmergency, revoked };
    tx.record({ at, kind: 'signing_key', code: 'activated', subject: null, detail });
    return { kind: 'active' };
  });
}
