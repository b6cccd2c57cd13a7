import type { Problem } from '@app/contracts/problem';
import { PAGES } from '@app/contracts/pages';
import type { Request, Response } from 'express';
import { sendInterstitial } from './interstitial.ts';

/** Whether a browser shows the answer as a page. Programs and our own pages accept JSON. */
export function asksForPage(req: Request): boolean {
  return req.accepts(['json', 'html']) === 'html';
}

/** Sends a problem as a page, with a link that leads on. The caller has set the status. */
export function sendProblemPage(req: Request, res: Response, { code, title, retryable, ref }: Problem): void {
  const advice =
    code === 'KS_HWID' || code === 'KS_ZONE'
      ? 'The link is damaged. Open it again from inside the app.'
      : retryable
        ? 'Wait a moment, then try again.'
        : 'Go back and choose another way.';

  sendInterstitial(res, { title, text: `${advice} If you ask us about it, name ${ref}.`, link: wayOut(req) });
}

/**
 * The link of the page: back to our page that led here, because it knows the visitor's device, or else to the home
 * page.
 */
function wayOut({ headers }: Request): { href: string; label: string } {
  const { referer = '', host } = headers;
  const isOurs = /^https?:/.test(referer) && URL.canParse(referer) && new URL(referer).host === host;

  return isOurs ? { href: referer, label: 'Go back' } : { href: PAGES.home, label: 'Go to the home page' };
}
