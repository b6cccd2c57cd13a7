import type { Db, SigningKeyRow } from '#api/foundation/db/schema.ts';
import { EnvError } from '#api/foundation/settings/env.ts';
import type { NamedKey } from '#api/foundation/crypto/signing-key.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import { createSigningKeysRepository, type PublicHalf } from './signing-keys.repository.ts';
import { createKeysRepository } from './keys.repository.ts';

const HOUR_MS = 60 * 60 * 1000;

/** How long a key is published before it signs, for apps that check keys offline. */
const PUBLISHED_BEFORE_MS = 24 * HOUR_MS;
/** How long a key stays published after its last signature: an hour longer than the keys that it signed are valid. */
const PUBLISHED_AFTER_MS = 25 * HOUR_MS;

interface SigningKeysDeps {
  db: Db;
  now: () => number;
}

/** The keys a server is started with. */
export interface SigningKeyRing {
  active: NamedKey;
  next: NamedKey | undefined;
  /** The `kid` of the key that may sign at once, although it was not published before. */
  emergencyKid: string | undefined;
}

export type SigningKeysService = ReturnType<typeof createSigningKeysService>;

/** Publishes and rotates the keys that the server signs with. */
export function createSigningKeysService({ db, now }: SigningKeysDeps) {
  /**
   * Makes a key the active one, if it has been published for 24 hours. The former key stays published for 25 hours.
   * @throws EnvError that says why it may not sign
   */
  async function rotate(to: NamedKey, { isEmergency = false }: { isEmergency?: boolean } = {}): Promise<void> {
    const at = now();
    const activation = { at, oldUntil: at + PUBLISHED_AFTER_MS, isEmergency };
    const activated = await activateSigningKey({ db }, publicHalf(to), activation);
    if (activated.kind !== 'active') throw refuse('SIGNING_KEY_FILE', to, activated);
  }

  /**
   * Publishes the key that will sign next, in place of any other.
   * @returns when it may sign, in epoch milliseconds
   * @throws EnvError that says why it may not be published
   */
  async function announce(next: NamedKey): Promise<{ signsFrom: number }> {
    const at = now();
    const published = await publishNextSigningKey({ db }, publicHalf(next), at, at + PUBLISHED_BEFORE_MS);
    if (published.kind !== 'published') throw refuse('NEXT_SIGNING_KEY_FILE', next, published);

    return { signsFrom: published.signsFrom };
  }

  return {
    rotate,
    announce,

    /**
     * Activates and publishes the keys that the server is started with, before its first request.
     * @throws EnvError that says why a key is refused
     */
    async open({ active, next, emergencyKid }: SigningKeyRing): Promise<void> {
      await rotate(active, { isEmergency: active.kid === emergencyKid });
      if (next) await announce(next);
      else await withdrawNextSigningKey({ db }, now());
    },
  };
}

function publicHalf({ kid, publicJwk }: NamedKey): PublicHalf {
  return { kid, alg: publicJwk.alg, publicJwk: JSON.stringify(publicJwk) };
}

function refuse(setting: string, { kid }: NamedKey, refusal: SigningKeyRefusal): EnvError {
  return new EnvError(`${setting}: the key ${kid} ${explain(refusal)}`);
}

function explain(refusal: SigningKeyRefusal): string {
  switch (refusal.kind) {
    case 'unpublished':
      return 'was never published. Name it in NEXT_SIGNING_KEY_FILE first; 24 hours later it may sign.';
    case 'too_new':
      return `was published less than 24 hours ago. It may sign from ${new Date(refusal.signsFrom).toISOString()} on.`;
    case 'over':
      return 'has been retired and is no longer published. Make a new one.';
    case 'taken':
      return 'is not the one that is known under this id. Give it an id of its own.';
  }
}

export interface Activation {
  /** Epoch milliseconds. */
  at: number;
  /** Until when the former key stays published, in epoch milliseconds. */
  oldUntil: number;
  /** The key signs at once and all other keys are withdrawn at once, because they may have leaked. */
  isEmergency: boolean;
}

export type ActivatedKey = { kind: 'active' } | SigningKeyRefusal;

/** Makes a key the active one. It changes nothing when the key is active already, or is refused. */
export function activateSigningKey(
  { db }: { db: Db },
  key: PublicHalf,
  { at, oldUntil, isEmergency }: Activation,
): Promise<ActivatedKey> {
  return transact(db, { signingKeys: createSigningKeysRepository, keys: createKeysRepository }, async (tx) => {
    const before = await tx.signingKeys.find(key.kid);
    if (isOfAnotherKey(before, key)) return { kind: 'taken' };
    if (before?.status === 'active') return { kind: 'active' };

    await tx.signingKeys.retireOthers(key, isEmergency ? at : oldUntil);
    // The first key of a site signs at once, because no app knows another one. In an emergency a key signs at once,
    // too.
    if (!(await tx.signingKeys.promote(key, at, isEmergency)) && (isEmergency || !(await tx.signingKeys.hasSigner())))
      await tx.signingKeys.add({ ...key, status: 'active', notBefore: at, notAfter: null });

    const row = await tx.signingKeys.find(key.kid);
    if (isOfAnotherKey(row, key)) return rollBack<ActivatedKey>({ kind: 'taken' });
    if (row?.status !== 'active') return rollBack<ActivatedKey>(whyRefused(row, at));

    // Keys signed by a withdrawn key cannot be checked any more. Their owners may earn new ones at once.
    const revoked = isEmergency ? await tx.keys.revokeSignedByOthers(key.kid, 'signing key withdrawn', at) : 0;
    const detail = { kid: key.kid, emergency: isEmergency, revoked };
    tx.record({ at, kind: 'signing_key', code: 'activated', subject: null, detail });
    return { kind: 'active' };
  });
}

export type PublishedKey =
  /** When it may sign, epoch milliseconds. */
  { kind: 'published'; signsFrom: number } | SigningKeyRefusal;

/**
 * Publishes the key that will sign next, and withdraws any other that was published for that. It changes nothing when
 * the key is published already, or is refused.
 * @param at epoch milliseconds
 * @param signsFrom when a new key may sign, in epoch milliseconds
 */
function publishNextSigningKey(
  { db }: { db: Db },
  next: PublicHalf,
  at: number,
  signsFrom: number,
): Promise<PublishedKey> {
  return transact(db, { signingKeys: createSigningKeysRepository }, async (tx) => {
    const withdrawn = await tx.signingKeys.removeNext(next.kid);
    const isNew = await tx.signingKeys.add({ ...next, status: 'next', notBefore: signsFrom, notAfter: null });
    const row = await tx.signingKeys.find(next.kid);
    if (isOfAnotherKey(row, next)) return rollBack<PublishedKey>({ kind: 'taken' });
    if (!row || isOver(row, at)) return rollBack<PublishedKey>(whyRefused(row, at));

    const about = { at, kind: 'signing_key', subject: null } as const;
    for (const { kid } of withdrawn) tx.record({ ...about, code: 'withdrawn', detail: { kid } });
    if (isNew) tx.record({ ...about, code: 'published', detail: { kid: next.kid } });
    return { kind: 'published', signsFrom: row.notBefore };
  });
}

/**
 * Withdraws the key that was published to sign next.
 * @param at epoch milliseconds
 */
function withdrawNextSigningKey({ db }: { db: Db }, at: number): Promise<void> {
  return transact(db, { signingKeys: createSigningKeysRepository }, async (tx) => {
    for (const { kid } of await tx.signingKeys.removeNext())
      tx.record({ at, kind: 'signing_key', code: 'withdrawn', subject: null, detail: { kid } });
  });
}

/**
 * Why a signing key is refused: it was never published (`unpublished`), not for long enough (`too_new`), is no longer
 * published (`over`), or its `kid` belongs to another key (`taken`).
 */
export type SigningKeyRefusal =
  | { kind: 'unpublished' | 'over' | 'taken' }
  /** Epoch milliseconds. */
  | { kind: 'too_new'; signsFrom: number };

/** Whether a `kid` is taken by another key. A `kid` never changes its key. */
function isOfAnotherKey(row: SigningKeyRow | undefined, { publicJwk }: PublicHalf): boolean {
  return row !== undefined && row.publicJwk !== publicJwk;
}

/** Whether a signing key is no longer published. */
function isOver({ notAfter }: SigningKeyRow, at: number): boolean {
  return notAfter !== null && notAfter <= at;
}

/** Finds out why a write refused the key. */
function whyRefused(row: SigningKeyRow | undefined, at: number): SigningKeyRefusal {
  if (!row) return { kind: 'unpublished' };

  return isOver(row, at) ? { kind: 'over' } : { kind: 'too_new', signsFrom: row.notBefore };
}
