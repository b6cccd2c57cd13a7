import type { RequestHandler } from 'express';
import helmet from 'helmet';

interface SecurityHeadersOptions {
  /** The site's own origin. */
  baseUrl: () => string;
  /** Where pages fetch their content from, when it is another site. */
  contentUrls?: readonly (string | undefined)[] | undefined;
  /** Where reCAPTCHA's script comes from, when it is the captcha of the site. */
  recaptchaOrigin?: string | undefined;
  /** Where pages hear of what was built anew, while somebody edits them. */
  updatesUrl?: string | undefined;
}

const TWO_YEARS_IN_S = 63_072_000;

const PERMISSIONS = 'geolocation=(), camera=(), microphone=()';

/**
 * The headers every answer carries.
 * - Scripts, styles and workers come from this site alone, and scripts from reCAPTCHA where it is used: no inline script, no style attribute, no `eval`.
 * - The policy for referrers keeps path and query from other sites, yet lets embedded video players see who
 *   embeds them: they refuse to play without.
 * - Insisting on https would break a site that is served over http, as on a developer's machine.
 */
export function securityHeaders({ baseUrl, ...others }: SecurityHeadersOptions): RequestHandler {
  let handler: RequestHandler | undefined;

  return (req, res, next) => {
    // The origin is known only once the server listens.
    handler ??= helmetFor(new URL(baseUrl()), others);
    res.set('permissions-policy', PERMISSIONS);
    handler(req, res, next);
  };
}

function helmetFor(
  { protocol, host }: URL,
  { contentUrls = [], recaptchaOrigin, updatesUrl }: Omit<SecurityHeadersOptions, 'baseUrl'>,
): RequestHandler {
  const isSecure = protocol === 'https:';
  const recaptcha = recaptchaSources(recaptchaOrigin);

  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        scriptSrc: ["'self'", ...recaptcha.scripts],
        workerSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'https://i.ytimg.com'],
        mediaSrc: ["'self'"],
        fontSrc: ["'self'"],
        frameSrc: ['https://www.youtube-nocookie.com', 'https://www.tiktok.com', ...recaptcha.frames],
        connectSrc: ["'self'", `${isSecure ? 'wss' : 'ws'}://${host}`, ...originsOf([...contentUrls, updatesUrl])],
        formAction: ["'self'"],
      },
    },
    strictTransportSecurity: isSecure && { maxAge: TWO_YEARS_IN_S, includeSubDomains: true },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'deny' },
  });
}

/** Each site once. */
function originsOf(urls: readonly (string | undefined)[]): string[] {
  return [...new Set(urls.flatMap((url) => (url === undefined ? [] : [new URL(url).origin])))];
}

/** What reCAPTCHA has to be allowed; nothing, where the site has another captcha. */
function recaptchaSources(origin: string | undefined): { scripts: string[]; frames: string[] } {
  if (origin === undefined) return { scripts: [], frames: [] };

  return {
    scripts: [`${origin}/recaptcha/`, 'https://www.gstatic.com/recaptcha/'],
    frames: [`${origin}/recaptcha/`, 'https://recaptcha.google.com/recaptcha/'],
  };
}

/** For answers that are about one visitor or one moment. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set('cache-control', 'no-store');
  next();
};

/** For what is the same for everybody and secret from nobody: pages of any site may read it. */
export const openToEverySite: RequestHandler = (_req, res, next) => {
  res.set({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
  next();
};

/** For hops whose own address is nobody else's business: it holds a ticket or a device id. */
export const noReferrer: RequestHandler = (_req, res, next) => {
  res.set('referrer-policy', 'no-referrer');
  next();
};
