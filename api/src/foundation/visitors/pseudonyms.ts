import { createHash, createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { deriveSecret } from '#api/foundation/crypto/secrets.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

/**
 * Makes pseudonyms: the HMACs under which devices, mailboxes, networks, zones and codes are stored. Without the pepper
 * a known value cannot be looked for in the database.
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

    /** The holder of networks, in the reports about one version. Those about another one cannot be linked with them. */
    holder: (release: string, holder: string) => hmac(`holder|${release}|${holder}`),

    /** A missing zone stays the empty string. */
    zone: (zone: string) => (zone === '' ? '' : hmac(`zone|${zone}`)),
  };
}

/** The `sub` of a key. The app calculates the same hash to see that the key is for its device. */
export function keySubject(hwid: string): string {
  return createHash('sha256').update(`ks1|${hwid}`).digest('base64url');
}

/** What has a meaning in a URL, and would be cut off or decoded as part of one. */
const FORBIDDEN_IN_DOMAINS = /[/\\?#%]/;

/**
 * One spelling for all that people, browsers and mail programs write for a mailbox: `Jo@BÜCHER.example` is
 * `jo@xn--bcher-kva.example`.
 */
export function canonicalEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${foldCase(email.slice(0, at))}@${canonicalDomain(email.slice(at + 1)).replace(/\.$/, '')}`;
}

function canonicalDomain(domain: string): string {
  return (!FORBIDDEN_IN_DOMAINS.test(domain) && domainToASCII(domain)) || foldCase(domain);
}

/**
 * In lower case, because no common mail server distinguishes upper and lower case, with composed accents. The signs that
 * would become an ASCII character stay as they are: they would stand for another owner's mailbox.
 */
function foldCase(text: string): string {
  return text.replace(/[^\u212A\u037E\u1FEF]+/g, (part) => part.normalize('NFC').toLowerCase());
}
