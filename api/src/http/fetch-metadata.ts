import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { sendInterstitial } from './interstitial.ts';

interface AskedFor {
  method: string;
  headers: IncomingHttpHeaders;
}

/**
 * Whether a GET that changes something was meant by the person in front of the browser:
 * a navigation of our own pages or of the address bar acts, one from another site asks first,
 * and what a page can trigger behind the visitor's back (images, frames, prefetches) is refused.
 */
export function judgeNavigation({ method, headers }: AskedFor, ownHost: string): 'act' | 'ask' | 'refuse' {
  if (isAhead({ method, headers })) return 'refuse';

  const site = headers['sec-fetch-site'];
  if (site === undefined) return refererHost(headers) === ownHost ? 'act' : 'ask';
  if (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document') return 'refuse';

  return site === 'same-origin' || site === 'none' ? 'act' : 'ask';
}

const ABOUT_THE_KEY_SYSTEM = {
  title: 'Continue to the key system?',
  text: 'Another site sent you here. If you meant to go on with your key, continue.',
};

/**
 * Lets only meant navigations through.
 * @param question what a visitor from another site is asked first
 */
export function meantNavigation(ownHost: () => string, question = ABOUT_THE_KEY_SYSTEM): RequestHandler {
  return (req, res, next) => {
    const judgement = judgeNavigation(req, ownHost());
    if (judgement === 'act') return next();
    if (judgement === 'refuse') return void res.status(403).end();

    sendInterstitial(res, { ...question, link: { href: req.originalUrl, label: 'Continue' } });
  };
}

/** Refuses a look ahead of the visitor (HEAD, prefetch), and only that. */
export const refuseLookingAhead: RequestHandler = (req, res, next) => {
  if (LOOKS.includes(req.method) && isAhead(req)) return void res.status(403).end();
  next();
};

const LOOKS = ['GET', 'HEAD'];

function isAhead({ method, headers }: AskedFor): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose']].flat();
  return method !== 'GET' || purposes.some((purpose) => purpose?.includes('prefetch'));
}

function refererHost({ referer }: IncomingHttpHeaders): string | undefined {
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).host : undefined;
}
