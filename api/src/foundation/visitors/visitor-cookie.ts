import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { deriveSecret } from '#api/foundation/crypto/derive-secret.ts';

/**
 * With this prefix a browser accepts the cookie only over https (or from localhost), for the whole site and for this
 * host alone.
 */
const NAME = '__Host-v';
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
const ATTRIBUTES = { maxAge: LIFETIME_MS / 1000, path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;
const VALUE = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/** A browser that was here before. No step depends on it: browsers inside apps lose their cookies. */
export interface KnownBrowser {
  /** The HMAC under which the browser is stored. */
  hmac: string;
  /**
   * When it got its cookie, in epoch milliseconds. A cookie that is younger than a strike does not show who earned the
   * strike.
   */
  since: number;
}

export type VisitorCookie = ReturnType<typeof createVisitorCookie>;

/** Makes and reads the visitor cookie: a random name for a browser and the time when it was given, both signed. */
export function createVisitorCookie(pepper: string) {
  const secret = deriveSecret(pepper, 'visitor cookie');
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

  return {
    /**
     * Makes a new cookie.
     * @returns the value of the `Set-Cookie` header, and the HMAC under which the browser is stored
     */
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
     * @returns undefined without our cookie, or when it is not signed by us or has expired
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
