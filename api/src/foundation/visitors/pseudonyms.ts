import { createHash, createHmac } from 'node:crypto';
import { deriveSecret } from '#api/foundation/crypto/derive-secret.ts';
import { canonicalEmail } from './canonical-email.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

/**
 * Makes pseudonyms: the HMACs under which devices, mailboxes, networks, zones
 * and codes are stored. Without the pepper nobody
 * can test whether a known value is in the database.
 */
export function createPseudonyms(pepper: string) {
  const secret = deriveSecret(pepper, 'identity');
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

  return {
    hwid: (hwid: string) => hmac(`hwid|${hwid}`),

    /** A mailbox, in whichever spelling of its address. */
    email: (email: string) => hmac(`email|${canonicalEmail(email)}`),

    /** An address as servers of the previous release find it. */
    emailInLowerCase: (email: string) => hmac(`email|${email.replace(/[^\u212A]+/g, (part) => part.toLowerCase())}`),

    /** A reseller's code, in the one spelling that `readCode` gives. */
    code: (code: string) => hmac(`code|${code}`),

    /**
     * The pseudonyms of a network for today and for yesterday (UTC). They change every day, so that stored rows cannot
     * be linked over time. No limit looks back further than a day.
     * @param at epoch milliseconds
     */
    networks(network: string, at: number): readonly [string, string] {
      const day = Math.floor(at / DAY_MS);
      return [hmac(`network|${String(day)}|${network}`), hmac(`network|${String(day - 1)}|${network}`)];
    },

    /** A missing zone stays the empty string. */
    zone: (zone: string) => (zone === '' ? '' : hmac(`zone|${zone}`)),
  };
}

/**
 * The `sub` of a key: a hash of the device id. The app calculates the same hash to see that the key is for its device.
 */
export function keySubject(hwid: string): string {
  return createHash('sha256').update(`ks1|${hwid}`).digest('base64url');
}
