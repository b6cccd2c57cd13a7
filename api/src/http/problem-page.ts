import type { Problem } from '@app/contracts/errors';
import { PAGES } from '@app/contracts/pages';
import type { Request, Response } from 'express';
import { sendInterstitial } from './interstitial.ts';

/** Whether a person's browser shows the answer: programs and our own pages take JSON as gladly as anything. */
export function asksForPage(req: Request): boolean {
  return req.accepts(['json', 'html']) === 'html';
}

/** A refusal in words, with a way out. The status stands already. */
export function sendProblemPage(req: Request, res: Response, { code, title, retryable, ref }: Problem): void {
  const advice =
    code === 'KS_HWID' || code === 'KS_ZONE'
      ? 'The link is damaged. Open it again from inside the app.'
      : retryable
        ? 'Wait a moment, then try again.'
        : 'Go back and choose another way.';

  sendInterstitial(res, { title, text: `${advice} If you ask us about it, name ${ref}.`, link: wayOut(req) });
}

/** Back to the page of ours that led here, since it knows the visitor's device; home, where there is none. */
function wayOut({ headers }: Request): { href: string; label: string } {
  const { referer = '', host } = headers;
  const isOurs = /^https?:/.test(referer) && URL.canParse(referer) && new URL(referer).host === host;

  return isOurs ? { href: referer, label: 'Go back' } : { href: PAGES.home, label: 'Go to the home page' };
}
