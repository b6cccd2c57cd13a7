import type { Db, SigningKeyRow } from '#api/foundation/db/schema.ts';
import { EnvError } from '#api/foundation/settings/env.ts';
import type { NamedKey } from '#api/foundation/crypto/signing-key.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createSigningKeysRepository, type PublicHalf } from './signing-keys.repository.ts';
import { createKeysRepository } from './keys.repository.ts';

const HOUR_MS = 60 * 60 * 1000;

/** How long a key is published before it signs, for apps that check keys offline. */
const PUBLISHED_BEFORE_MS = 24 * HOUR_MS;
/** How long a key stays published after its last signature: an hour longer than the keys that it signed are valid. */
const PUBLISHED_AFTER_MS = 25 * HOUR_MS;

/** The keys a server is started with. */
interface SigningKeyRing {
  active: NamedKey;
  next: NamedKey | undefined;
  /** The `kid` of the key that may sign at once, although it was not published before. */
  emergencyKid: string | undefined;
}

export type SigningKeysService = ReturnType<typeof createSigningKeysService>;

/**
 * Publishes and rotates the keys that the server signs with. A key that is refused changes nothing.
 * @throws EnvError that says why a key is refused
 */
export function createSigningKeysService({ db, now }: { db: Db; now: () => number }) {
  /**
   * Makes a key the active one, if it has been published for 24 hours. The former key stays published for 25 hours. In
   * an emergency it signs at once, and all other keys are withdrawn, because they may have leaked.
   */
  function rotate(to: NamedKey, { isEmergency = false } = {}): Promise<void> {
    const key = publicHalf(to);
    const at = now();
    return transact(db, { signingKeys: createSigningKeysRepository, keys: createKeysRepository }, async (tx) => {
      const before = await tx.signingKeys.find(key.kid);
      if (before && !isSameKey(before, key)) throw createRejection('SIGNING_KEY_FILE', key, before, at);
      if (before?.status === 'active') return;

      await tx.signingKeys.retireOthers(key, isEmergency ? at : at + PUBLISHED_AFTER_MS);
      // The first key of a site signs at once, because no app knows another one.
      if (!(await tx.signingKeys.promote(key, at, isEmergency)) && (isEmergency || !(await tx.signingKeys.hasSigner())))
        await tx.signingKeys.add({ ...key, status: 'active', notBefore: at, notAfter: null });

      const row = await tx.signingKeys.find(key.kid);
      if (row?.status !== 'active' || !isSameKey(row, key)) throw createRejection('SIGNING_KEY_FILE', key, row, at);

      // Keys signed by a withdrawn key cannot be checked any more. Their owners may earn new ones at once.
      const revoked = isEmergency ? await tx.keys.revokeSignedByOthers(key.kid, 'signing key withdrawn', at) : 0;
      const detail = { kid: key.kid, emergency: isEmergency, revoked };
      tx.record({ at, kind: 'signing_key', code: 'activated', subject: null, detail });
    });
  }

  /**
   * Publishes the key that will sign next, in place of any other.
   * @returns when it may sign, in epoch milliseconds
   */
  function announce(next: NamedKey): Promise<{ signsFrom: number }> {
    const key = publicHalf(next);
    const at = now();
    return transact(db, { signingKeys: createSigningKeysRepository }, async (tx) => {
      const about = { at, kind: 'signing_key', subject: null } as const;
      for (const { kid } of await tx.signingKeys.removeNext(key.kid))
        tx.record({ ...about, code: 'withdrawn', detail: { kid } });
      const published = { status: 'next', notBefore: at + PUBLISHED_BEFORE_MS, notAfter: null } as const;
      const isNew = await tx.signingKeys.add({ ...key, ...published });
      const row = await tx.signingKeys.find(key.kid);
      if (!row || !isSameKey(row, key) || isExpired(row, at))
        throw createRejection('NEXT_SIGNING_KEY_FILE', key, row, at);

      if (isNew) tx.record({ ...about, code: 'published', detail: { kid: key.kid } });
      return { signsFrom: row.notBefore };
    });
  }

  function withdrawNext(): Promise<void> {
    const at = now();
    return transact(db, { signingKeys: createSigningKeysRepository }, async (tx) => {
      for (const { kid } of await tx.signingKeys.removeNext())
        tx.record({ at, kind: 'signing_key', code: 'withdrawn', subject: null, detail: { kid } });
    });
  }

  return {
    rotate,
    announce,

    /** Activates and publishes the keys that the server is started with, before its first request. */
    async open({ active, next, emergencyKid }: SigningKeyRing): Promise<void> {
      await rotate(active, { isEmergency: active.kid === emergencyKid });
      await (next ? announce(next) : withdrawNext());
    },
  };
}

function publicHalf({ kid, publicJwk }: NamedKey): PublicHalf {
  return { kid, alg: publicJwk.alg, publicJwk: JSON.stringify(publicJwk) };
}

/** A `kid` never changes its key. */
function isSameKey(row: SigningKeyRow, { publicJwk }: PublicHalf): boolean {
  return row.publicJwk === publicJwk;
}

function isExpired({ notAfter }: SigningKeyRow, at: number): boolean {
  return notAfter !== null && notAfter <= at;
}

function createRejection(setting: string, key: PublicHalf, row: SigningKeyRow | undefined, at: number): EnvError {
  return new EnvError(`${setting}: the key ${key.kid} ${findRejection(key, row, at)}`);
}

function findRejection(key: PublicHalf, row: SigningKeyRow | undefined, at: number): string {
  if (!row) return 'was never published. Name it in NEXT_SIGNING_KEY_FILE first; 24 hours later it may sign.';
  if (!isSameKey(row, key)) return 'is not the one that is known under this id. Give it an id of its own.';
  if (isExpired(row, at)) return 'has been retired and is no longer published. Make a new one.';
  return `was published less than 24 hours ago. It may sign from ${new Date(row.notBefore).toISOString()} on.`;
}
