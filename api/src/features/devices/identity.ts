import { createHash, createHmac } from 'node:crypto';
import { deriveSecret } from '#api/secrets/derive-secret.ts';

export type Identity = ReturnType<typeof createIdentity>;

/**
 * Turns what identifies a device or a person into what may be stored.
 * Without the pepper nobody can find out whether a known one is in the database.
 */
export function createIdentity(pepper: string) {
  const secret = deriveSecret(pepper, 'identity');
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

  return {
    hwid: (hwid: string) => hmac(`hwid|${hwid}`),

    /** Nobody's mailbox tells upper from lower case. */
    email: (email: string) => hmac(`email|${email.toLowerCase()}`),

    /** No zone stays recognisable as none. */
    zone: (zone: string) => (zone === '' ? '' : hmac(`zone|${zone}`)),
  };
}

/** What a key carries instead of the device id (`sub`): the app makes the same hash to see that the key is its own. */
export function keySubject(hwid: string): string {
  return createHash('sha256').update(`ks1|${hwid}`).digest('base64url');
}
