import type { Response } from 'express';
import type { ClientIdentity } from './client-identity.ts';
import type { VisitorCookie } from './visitor-cookie.ts';

/**
 * Sets the visitor cookie in the response when the browser has none.
 * @returns the HMAC under which the browser is stored
 */
export type EnsureVisitorCookie = (by: Pick<ClientIdentity, 'browser'>, res: Response) => string;

export function createEnsureVisitorCookie({
  cookie,
  now,
}: {
  cookie: VisitorCookie;
  now: () => number;
}): EnsureVisitorCookie {
  return ({ browser }, res) => {
    if (browser) return browser.hmac;

    const { header, hmac } = cookie.make(now());
    res.append('set-cookie', header);
    return hmac;
  };
}
