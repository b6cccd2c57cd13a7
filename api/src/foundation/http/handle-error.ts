import { ERRORS, type ErrorCode } from '@app/contracts/errors';
import type { Problem } from '@app/contracts/problem';
import { PAGES } from '@app/contracts/pages';
import { FEDERATION_MANIFEST } from '@app/contracts/unit';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { SignerBusy, SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { DatabaseQueueFull, DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { AppError } from './app-error.ts';
import { redisplayForm } from './forms.ts';
import { countError, requestIdOf } from './observe-requests.ts';
import { formatWords, interstitialMessages, sendInterstitial } from './interstitial.ts';

/** What an answer says of itself, and a refusal in its place must not. */
const ENTITY_HEADERS = [
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'x-accel-expires',
];

/** The `Retry-After` of a 503, in seconds. A restart takes no longer. */
export const UNAVAILABLE_RETRY_S = 5;

/**
 * Answers every error as problem details (RFC 9457), or as a page where a browser shows the answer. Errors with status
 * 500 and above are reported, unless the server refused the request because it had too much to do.
 * @param baseUrl the site's own origin, under which errors are explained
 */
export function handleError(
  report: (error: Error, requestId: string) => void,
  now: () => number = Date.now,
  baseUrl: () => string = () => '',
): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    const error = toAppError(thrown);
    const requestId = requestIdOf(res);
    if (!isPreconditionFailure(thrown)) countError(error.code);
    if (res.headersSent) {
      report(error, requestId);
      // The response has begun, so the connection is closed. Express is not told of the error, because it would print
      // it.
      req.socket.destroy();
      return next();
    }
    for (const header of ENTITY_HEADERS) res.removeHeader(header);
    res.set('cache-control', 'no-store');
    if (isPreconditionFailure(thrown))
      return void res
        .status(thrown.status)
        .set(thrown.headers ?? {})
        .end();

    // A line for each refused request would be more work at the worst moment. That it was refused is in its own line.
    const { cause } = error;
    const isRefused = error.code === 'KS_BUSY' || cause instanceof DatabaseQueueFull || cause instanceof SignerBusy;
    if (error.status >= 500 && !isRefused) report(error, requestId);
    if (error.status === 503 && !res.hasHeader('retry-after')) res.set('retry-after', String(UNAVAILABLE_RETRY_S));

    const problem = presentProblem(error, { origin: baseUrl(), ref: requestId, now: now() });
    res.status(error.status).vary('Accept, Accept-Language');
    // Whatever is JSON there, the federation's runtime (2.9.3) keeps as the manifest for the life of its page.
    if (req.path.endsWith(`/${FEDERATION_MANIFEST}`)) return void res.type('text').send(`${error.message}\n`);
    if (acceptsHtml(req)) return sendProblemPage(req, res, problem);

    res.type('application/problem+json').send(JSON.stringify(problem));
  };
}

function presentProblem(
  error: AppError,
  { origin, ref, now }: Pick<Problem, 'ref' | 'now'> & { origin: string },
): Problem {
  const { status, title } = ERRORS[error.code];
  const detail = error.message === title ? {} : { detail: error.message };

  return {
    type: `${origin}${PAGES.errors}#${error.code}`,
    title,
    status,
    ...detail,
    ...(error.problems && { problems: [...error.problems] }),
    ...(error.supported && { supported: [...error.supported] }),
    code: error.code,
    retryable: status === 429 || status === 503,
    ...(error.until !== undefined && { until: error.until }),
    ref,
    now,
  };
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof DatabaseUnavailable || thrown instanceof SignerUnavailable)
    return new AppError('server.busy', undefined, { cause: thrown });
  if (isClientError(thrown))
    return new AppError('request.invalid', 'The request could not be read.', { cause: thrown });

  return new AppError('server.unexpected', undefined, { cause: thrown });
}

/** Express and its parsers give errors of the caller (bad JSON, too large a body, a broken escape) a 4xx status. */
function isClientError(thrown: unknown): boolean {
  return thrown instanceof Error && 'status' in thrown && Number(thrown.status) >= 400 && Number(thrown.status) < 500;
}

/** A file that is not as a conditional request or a range wants it. Its sender names what there is. */
function isPreconditionFailure(
  thrown: unknown,
): thrown is Error & { status: number; headers?: Record<string, string> } {
  return thrown instanceof Error && 'status' in thrown && (thrown.status === 412 || thrown.status === 416);
}

/** Whether a browser shows the answer as a page. Programs and our own pages accept JSON. */
function acceptsHtml(req: Request): boolean {
  return req.accepts(['json', 'html']) === 'html';
}

function sendProblemPage(req: Request, res: Response, { code, title, retryable, ref }: Problem): void {
  const { problem, forms } = interstitialMessages(res);
  const texts: Partial<Record<ErrorCode, { title: string; text: string }>> = problem.texts;
  const refusals: Partial<Record<ErrorCode, string>> = forms.refused;
  const form = redisplayForm(res);
  const refused = refusals[code];
  if (form && refused) return sendInterstitial(res, { title: forms.refusal, text: refused, form });

  const words = texts[code] ?? { title, text: retryable ? problem.retry : problem.otherwise };
  const wayOn = form ? { form } : { link: fallbackLink(req, problem, code) };
  const details = formatWords(res, problem.details, { code, ref });
  sendInterstitial(res, { ...words, picture: isOfDownload(code) ? 'download' : 'brokenKey', details, ...wayOn });
}

/** Back to our page that led here, because it knows the visitor's device, or else to the downloads or the home page. */
function fallbackLink(
  { headers }: Request,
  { back, downloads, home }: { back: string; downloads: string; home: string },
  code: ErrorCode,
): { href: string; label: string } {
  const { referer = '', host } = headers;
  const isOurs = /^https?:/.test(referer) && URL.canParse(referer) && new URL(referer).host === host;

  if (isOurs) return { href: referer, label: back };
  return isOfDownload(code) ? { href: `${PAGES.v5}#downloads`, label: downloads } : { href: PAGES.home, label: home };
}

function isOfDownload(code: ErrorCode): boolean {
  return code === 'DOWNLOAD_UNKNOWN' || code === 'DOWNLOAD_NONE';
}

export function sendText(res: Response, status: number, text: string): void {
  res.status(status).type('text/plain').send(text);
}

/** Answers an unreadable body with 400 and this plain text; a form that a browser has sent gets its page. */
export function handleParseError(text: string): ErrorRequestHandler {
  return (thrown: unknown, _req, res, next) => {
    if (!isClientError(thrown) || redisplayForm(res)) return next(thrown);

    sendText(res, 400, text);
  };
}
