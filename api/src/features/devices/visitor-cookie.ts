import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { deriveSecret } from '#api/crypto/derive-secret.ts';

/** The prefix makes the browser insist on https (or localhost), on the whole site, on no other host. */
const NAME = '__Host-v';
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
const ATTRIBUTES = { maxAge: LIFETIME_MS / 1000, path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;
const VALUE = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/** A browser that was here before. It is never needed to succeed: browsers inside apps lose their cookies. */
export interface KnownBrowser {
  /** What may be stored of it. */
  hmac: string;
  /** When it was given its cookie; a cookie younger than a strike says nothing about who earned that strike. */
  since: number;
}

export type VisitorCookie = ReturnType<typeof createVisitorCookie>;

/** A random name for a browser, signed together with the time it was given. */
export function createVisitorCookie(pepper: string) {
  const secret = deriveSecret(pepper, 'visitor cookie');
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

  return {
    /** The value of a `Set-Cookie` header for a browser that has none, and what may be stored of the browser from now on. */
    make(at: number): { header: string; hmac: string } {
      const id = randomBytes(16).toString('base64url');
      const named = `${id}.${at.toString(36)}`;
      const value = `${named}.${hmac(`cookie|${named}`)}`;

      return {
        header: stringifySetCookie({ name: NAME, value, ...ATTRIBUTES }),
        hmac: hmac(`browser|${id}`),
      };
    },

    /**
     * Reads the `Cookie` header.
     * @returns undefined for a browser without our cookie, or with one that we did not make or that has run out
     */
    read(header: string | undefined, at: number): KnownBrowser | undefined {
      const [, id = '', time = '', signature = ''] = VALUE.exec(parseCookie(header ?? '')[NAME] ?? '') ?? [];
      if (!isSame(signature, hmac(`cookie|${id}.${time}`))) return undefined;

      const since = Number.parseInt(time, 36);
      return since <= at && at - since < LIFETIME_MS ? { hmac: hmac(`browser|${id}`), since } : undefined;
    },
  };
}

function isSame(given: string, right: string): boolean {
  return given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right));
}
