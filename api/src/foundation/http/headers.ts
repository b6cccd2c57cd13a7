import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import Negotiator from 'negotiator';

export interface PolicySources {
  /** The addresses that pages fetch content from, where these are on other sites. */
  contentUrls?: readonly (string | undefined)[] | undefined;
  /** The origin of reCAPTCHA's script, if it is the captcha of the site. */
  recaptchaOrigin?: string | undefined;
  /** The texts of the scripts that documents contain. */
  inlineScripts?: readonly string[] | undefined;
  /** The WebSocket address at which open pages learn of new builds, in development only. */
  updatesUrl?: string | undefined;
}

interface SecurityHeadersOptions extends PolicySources {
  /** The site's own origin. */
  baseUrl: () => string;
}

const POLICY_HEADER = 'content-security-policy';

const TWO_YEARS_IN_S = 63_072_000;

/** The header of nginx that says how long it keeps an answer. */
const ACCEL_EXPIRES = 'x-accel-expires';

const PERMISSIONS_POLICY = 'geolocation=(), camera=(), microphone=()';

/**
 * Sets the security headers of every response.
 * - Scripts, styles and workers come from this site alone, and scripts from reCAPTCHA where it is used. There are no
 *   style attributes, no `eval`, and no inline scripts but those whose very text is given.
 * - Other sites see the origin in the referrer, but no path and no query. Embedded video players need the origin to
 *   play.
 * - Strict-Transport-Security is set only if the site itself is on https.
 */
export function securityHeaders({ baseUrl, ...others }: SecurityHeadersOptions): RequestHandler {
  let headers: Map<string, string> | undefined;

  return (_req, res, next) => {
    // The origin is known only once the server listens.
    headers ??= listHeaders(new URL(baseUrl()), others);
    res.setHeaders(headers);
    next();
  };
}

/** The headers that Helmet sets. It would work them out for each response anew, though they are always the same. */
function listHeaders(
  { protocol, host }: URL,
  { contentUrls = [], inlineScripts = [], recaptchaOrigin, updatesUrl }: Omit<SecurityHeadersOptions, 'baseUrl'>,
): Map<string, string> {
  const isSecure = protocol === 'https:';
  const recaptcha = recaptchaSources(recaptchaOrigin);

  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        scriptSrc: ["'self'", ...inlineScripts.map(hashSource), ...recaptcha.scripts],
        workerSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'https://i.ytimg.com'],
        mediaSrc: ["'self'"],
        fontSrc: ["'self'"],
        frameSrc: ['https://www.youtube-nocookie.com', 'https://www.tiktok.com', ...recaptcha.frames],
        connectSrc: [
          "'self'",
          `${isSecure ? 'wss' : 'ws'}://${host}`,
          ...originsOf([...contentUrls, updatesUrl, updatesUrl?.replace(/^ws/, 'http')]),
        ],
        formAction: ["'self'"],
      },
    },
    strictTransportSecurity: isSecure && { maxAge: TWO_YEARS_IN_S, includeSubDomains: true },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'deny' },
  });
  setHeaders(request, response, () => undefined);
  return new Map([
    ['permissions-policy', PERMISSIONS_POLICY],
    ...Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const),
  ]);
}

const setHeader =
  (headers: Record<string, string>): RequestHandler =>
  (_req, res, next) => {
    res.set(headers);
    next();
  };

/** Of calls: data, redirects and interstitials. A fourth as long as that of pages: a step of a run has five such answers. */
export const callPolicy = setHeader({
  [POLICY_HEADER]:
    "default-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none';font-src 'self';img-src 'self';style-src 'self'",
});

/** Allows stylesheets that stand in the document, besides those of the site. */
export function allowStyles(res: Response, sources: readonly string[]): void {
  if (sources.length > 0) editPolicy(res, "style-src 'self'", `$& ${sources.join(' ')}`);
}

/** Allows code, styles, pictures and calls of one more origin, for the document of a browser that asked for them. */
export function allowOrigin(res: Response, origin: string): void {
  editPolicy(res, /(?:script|style|img|connect)-src 'self'/g, `$& ${origin}`);
}

/** Allows the forms of a document to lead to other sites: browsers hold redirects of a form to the policy as well. */
export function allowExternalFormAction(res: Response): void {
  editPolicy(res, /form-action [^;]*;?/, '');
}

function editPolicy(res: Response, directive: string | RegExp, edited: string): void {
  const policy = res.get(POLICY_HEADER);
  if (policy) res.set(POLICY_HEADER, policy.replace(directive, edited));
}

export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function originsOf(urls: readonly (string | undefined)[]): string[] {
  return [...new Set(urls.flatMap((url) => (url === undefined ? [] : [new URL(url).origin])))];
}

function recaptchaSources(origin: string | undefined): { scripts: string[]; frames: string[] } {
  if (origin === undefined) return { scripts: [], frames: [] };

  return {
    scripts: [`${origin}/recaptcha/`, 'https://www.gstatic.com/recaptcha/'],
    frames: [`${origin}/recaptcha/`, 'https://recaptcha.google.com/recaptcha/'],
  };
}

/** For responses about one visitor or one moment: no cache stores them. */
export const noStore = setHeader({ 'cache-control': 'no-store' });

/**
 * Lets our own proxy keep an answer for a moment and send it to others who ask for the same address in the same coding and
 * language (`Vary`). It must hold nothing of the visitor, and nothing must be counted by it. Other caches do not know this
 * header, and the proxy removes it.
 */
export function cacheShared(res: Response, seconds: number): void {
  if (!res.hasHeader(ACCEL_EXPIRES)) res.set(ACCEL_EXPIRES, String(seconds));
}

/** Keeps our proxy from keeping an answer, whatever is said of it later. */
export function noSharedCache(res: Response): void {
  res.set(ACCEL_EXPIRES, '0');
}

/** For public data: pages of every site may read it. */
export const allowAnyOrigin = setHeader({
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
});

/** For addresses with a ticket or a device id: the next site does not see them as the referrer. */
export const noReferrer = setHeader({ 'referrer-policy': 'no-referrer' });

/** The codings that files are kept in, the smallest first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

/** Its types do not know this option yet. */
interface Rankable {
  encodings<T>(available: readonly T[], options: { preferred: readonly T[] }): T[];
}

/**
 * Ranks the codings that a client accepts, the one it wants most first; among equals the smaller one. Plain content comes
 * last unless it is asked for by name. Source: RFC 9110, section 12.5.3
 * @param header the field `Accept-Encoding`; a client that sends none gets plain content
 */
export function rankCodings(header: string | undefined): Coding[] {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as Rankable;
  return accepted.encodings(CODINGS, { preferred: CODINGS });
}
