import type { Response } from 'express';
import type { ClientIdentity } from './client-identity.ts';
import type { VisitorCookie } from './visitor-cookie.ts';

/** Gives a browser without a cookie one, in the answer to the request that it just sent, and tells what may be stored of it. */
export type EnsureVisitorCookie = (by: ClientIdentity, res: Response) => string;

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
