import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { allowExternalFormAction } from './headers.ts';
import { interstitialMessages, sendInterstitial } from './interstitial.ts';

interface Navigation {
  method: string;
  headers: IncomingHttpHeaders;
}

/**
 * Decides whether a person meant a request that changes something. `act`: a navigation from our own pages or the address
 * bar, or a form of ours. `ask`: a navigation from another site, which is confirmed first. `refuse`: what a page can
 * start without the visitor (images, frames, prefetches).
 * Source: https://www.w3.org/TR/fetch-metadata/
 */
export function classifyNavigation({ method, headers }: Navigation, ownOrigin: string): 'act' | 'ask' | 'refuse' {
  if (isPrefetch({ method, headers })) return 'refuse';

  const site = headers['sec-fetch-site'];
  // Browsers name the origin of every form, also those that send neither Fetch Metadata nor a referrer.
  if (site === undefined) return originOf(headers.origin ?? headers.referer) === ownOrigin ? 'act' : 'ask';
  if (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document') return 'refuse';

  return site === 'same-origin' || site === 'none' ? 'act' : 'ask';
}

/**
 * Lets a request through only if the visitor meant it. The answer to the question is a POST to the same address, so a
 * route with it takes GET and POST.
 * @param question what a visitor from another site is asked
 */
export function requireUserNavigation(
  ownOrigin: () => string,
  question: 'askForKey' | 'askToPay' = 'askForKey',
): RequestHandler {
  return function confirmNavigation(req, res, next) {
    const judgement = classifyNavigation(req, ownOrigin());
    if (judgement === 'act') return next();
    if (judgement === 'refuse') return void res.status(403).end();

    // What is continued may lead to another site.
    allowExternalFormAction(res);
    const { label, ...words } = interstitialMessages(res)[question];
    sendInterstitial(res, { ...words, form: { action: pathOf(req.originalUrl), label } });
  };
}

/** Refuses requests that a browser makes before the visitor does (HEAD, prefetch), and only those. */
export const refusePrefetch: RequestHandler = (req, res, next) => {
  if (SAFE_METHODS.includes(req.method) && isPrefetch(req)) return void res.status(403).end();
  next();
};

const SAFE_METHODS = ['GET', 'HEAD'];
const NAVIGATION_METHODS = ['GET', 'POST'];

function isPrefetch({ method, headers }: Navigation): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose']].flat();
  return !NAVIGATION_METHODS.includes(method) || purposes.some((purpose) => purpose?.includes('prefetch'));
}

/** Any client can write an origin before a path. */
function pathOf(target: string): string {
  return target.replace(/^[a-z]+:\/\/[^/?]*/i, '') || '/';
}

function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}
