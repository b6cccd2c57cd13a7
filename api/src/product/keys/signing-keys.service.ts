import type { Db } from '#api/foundation/db/schema.ts';
import { EnvError } from '#api/foundation/settings/env.ts';
import type { NamedKey } from '#api/foundation/crypto/signing-key.ts';
import { activateSigningKey } from './activate-signing-key.ts';
import { publishNextSigningKey } from './publish-next-signing-key.ts';
import type { SigningKeyRefusal } from './signing-key-refusal.ts';
import type { PublicHalf } from './signing-keys.repository.ts';
import { withdrawNextSigningKey } from './withdraw-next-signing-key.ts';

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
