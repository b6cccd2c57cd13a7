import { createHash, createHmac } from 'node:crypto';
import { deriveSecret } from '#api/crypto/derive-secret.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

/**
 * Turns what identifies a device or a person into what may be stored.
 * Without the pepper nobody can find out whether a known one is in the database.
 */
export function createPseudonyms(pepper: string) {
  const secret = deriveSecret(pepper, 'identity');
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

  return {
    hwid: (hwid: string) => hmac(`hwid|${hwid}`),

    /** Nobody's mailbox tells upper from lower case. */
    email: (email: string) => hmac(`email|${email.toLowerCase()}`),

    /**
     * A network under its name of today and its name of yesterday. Names change every day,
     * so that what is stored does not tell of a network over time; what a limit looks back on is never older than a day.
     */
    networks(network: string, at: number): readonly [string, string] {
      const day = Math.floor(at / DAY_MS);
      return [hmac(`network|${String(day)}|${network}`), hmac(`network|${String(day - 1)}|${network}`)];
    },

    /** No zone stays recognisable as none. */
    zone: (zone: string) => (zone === '' ? '' : hmac(`zone|${zone}`)),
  };
}

/** What a key carries instead of the device id (`sub`): the app makes the same hash to see that the key is its own. */
export function keySubject(hwid: string): string {
  return createHash('sha256').update(`ks1|${hwid}`).digest('base64url');
}
