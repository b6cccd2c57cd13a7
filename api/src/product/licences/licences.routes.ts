import { PAGES } from '@app/contracts/pages';
import { readPasted } from '@app/contracts/read-pasted';
import { claimPlanSchema, emailSchema, linkSchema } from '@app/contracts/checkout-requests';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import * as v from 'valibot';
import { deviceQuery, parseHwid } from '#api/product/devices/device.ts';
import { redisplayForm, isForm, jsonOrForm } from '#api/foundation/http/forms.ts';
import type { RateLimit, RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { parse, singleString } from '#api/foundation/http/request-input.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { noReferrer, noStore } from '#api/foundation/http/headers.ts';
import { type InterstitialForm, interstitialMessages, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { onlyGetOrPost, onlyPost, onlyRead } from '#api/foundation/http/only-methods.ts';
import { handleParseError, sendText } from '#api/foundation/http/handle-error.ts';
import {
  askForEmail,
  askForLink,
  askToClaim,
  askToReset,
  claimForm,
  linkForm,
  sayClaimed,
  sendClaimAsked,
} from './link-pages.ts';
import { findPlan } from './issue-plan-key.ts';
import type { Licences } from './licences.ts';
import { confirmReset, readReset, requestReset } from './reset-links.ts';
import { confirmClaim, readClaim, requestClaim } from './claim-links.ts';
import { unsubscribe } from './reminders.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const INVALID_EMAIL = 'Please enter a valid email.';
const RATE_LIMITED = 'Too many requests.';
const NO_LICENCE = 'No active subscriptions or licenses.';
/** The page says that it could not be done, as of every failure without a text of its own. */
const NO_MAILBOX = 'The mail server of this address refuses mail for it.';

const resetSchema = v.object({ email: emailSchema });

interface MailLimits {
  /** From one network for one mailbox, in a day. */
  resetsPerDay: number;
  /** From one address for all mailboxes, in a minute. */
  perAddress: { mails: number };
}

interface LicencesRoutesDeps {
  licences: Licences;
  /** With `strict` every address gets the same answer, before it is looked for. */
  resetPrivacy: 'spec' | 'strict';
  /** Does work after its request was answered, so that the answer says nothing about it, not even by its time. */
  afterAnswer: (work: () => Promise<unknown>) => void;
  ownOrigin: () => string;
  limits: MailLimits & { statesPerMinute: number; perAddress: { reads: number } };
  limiter: RateLimiter;
}

/**
 * The routes of plans: the one that a device has, and the links in mails that reset devices or add one. What a link
 * would do and doing it take POST alone, because programs that scan mails open every link with GET. GET has the forms of
 * browsers without JavaScript.
 */
export function licencesRoutes(deps: LicencesRoutesDeps): Router {
  const router = Router();
  routeStatus(router, deps);
  routeReset(router, deps);
  routeClaim(router, deps);
  routeUnsubscribe(router, deps);
  return router;
}

function routeStatus(router: Router, { licences, limits, limiter }: LicencesRoutesDeps): void {
  const limitStatus = limiter.byDevice(
    { name: 'plan-status', max: limits.statesPerMinute },
    (req) => parseHwid(req.query['hwid']),
    limits.perAddress.reads,
  );
  router.get('/plan-status', limitStatus, async (req, res) => {
    res.json({ plan: await findPlan(licences, parseHwid(req.query['hwid'])), now: licences.now() });
  });
  router.all('/plan-status', onlyRead);
}

/** The page of the form that resets devices compares its answers word for word, as plain text. */
function routeReset(
  router: Router,
  { licences, resetPrivacy, afterAnswer, ownOrigin, limits, limiter }: LicencesRoutesDeps,
): void {
  const requestBody = jsonOrForm({ ownOrigin, page: `${PAGES.v5}#reset`, again: resetForm });
  const linkBody = linkBodyFor('/api/reset-details', PAGES.resetDevices, ownOrigin);
  const mailboxOf = (req: Request) => {
    const email = readEmail(req);
    return email === undefined ? undefined : licences.emails.hmac(email);
  };
  const refuse: RateLimit['refuse'] = (res) => answerReset(res, res.statusCode, RATE_LIMITED);
  const limitResets = limitMails(limiter, limits, 'reset', mailboxOf, refuse);
  router.post('/requestresetdevices', requestBody, ...limitResets, async (req, res) => {
    const email = readEmail(req);
    if (email === undefined) return answerReset(res, 400, INVALID_EMAIL);

    if (resetPrivacy === 'strict') {
      answerReset(res, 200, 'OK');
      return afterAnswer(() => requestReset(licences, email));
    }
    switch (await requestReset(licences, email)) {
      case 'requested':
        return answerReset(res, 200, 'OK');
      case 'refused':
        return answerReset(res, 502, NO_MAILBOX);
      case 'unknown':
        return answerReset(res, 404, NO_LICENCE);
    }
  });
  router.use('/requestresetdevices', handleParseError(INVALID_EMAIL));

  router.post('/reset-details', linkBody, async (req, res) => {
    const token = readToken(req);
    const details = await readReset(licences, token);
    if (isForm(req)) return askToReset(res, token, details);
    res.json(details);
  });
  router.post('/confirmresetdevices', linkBody, async (req, res) => {
    await confirmReset(licences, readToken(req));
    if (isForm(req)) return res.redirect(303, PAGES.resetSuccess);
    res.status(204).end();
  });
  router.get('/reset-details', (_req, res) => askForLink(res, '/api/reset-details'));
  router.all('/reset-details', onlyGetOrPost);
  router.all(['/requestresetdevices', '/confirmresetdevices'], onlyPost);
}

function routeClaim(router: Router, { licences, afterAnswer, ownOrigin, limits, limiter }: LicencesRoutesDeps): void {
  const linkBody = linkBodyFor('/api/claim-details', PAGES.claimPlan, ownOrigin);
  // The caller is never told whether the address has a plan, so the answer comes before anything is looked up.
  const mailboxOf = (req: Request) => licences.emails.hmac(readClaimRequest(req).email);
  const claimBody = jsonOrForm({ ownOrigin, page: PAGES.plans, again: claimForm });
  router.post('/claim-plan', claimBody, ...limitMails(limiter, limits, 'claim', mailboxOf), (req, res) => {
    const claim = readClaimRequest(req);
    if (isForm(req)) sendClaimAsked(res);
    else res.status(204).end();
    afterAnswer(() => requestClaim(licences, claim));
  });
  router.post('/claim-details', linkBody, async (req, res) => {
    const token = readToken(req);
    const details = await readClaim(licences, token);
    if (isForm(req)) return askToClaim(res, token, details);
    res.json(details);
  });
  router.post('/confirm-claim', linkBody, async (req, res) => {
    const claimed = await confirmClaim(licences, readToken(req));
    if (isForm(req)) return sayClaimed(res, claimed.plan);
    res.json(claimed);
  });
  router.get('/claim-details', (_req, res) => askForLink(res, '/api/claim-details'));
  router.get('/claim-plan', (_req, res) => askForEmail(res));
  router.all(['/claim-plan', '/claim-details'], onlyGetOrPost);
  router.all('/confirm-claim', onlyPost);
}

/** GET asks, because programs that scan mails open every link; POST acts, also without a page (RFC 8058). */
function routeUnsubscribe(router: Router, { licences, limits, limiter }: LicencesRoutesDeps): void {
  const readLicence = ({ query }: Request) => {
    const licenceId = licences.emails.readUnsubscribe(singleString(query['t']) ?? '');
    if (licenceId === undefined) throw new AppError('RST_TOKEN');
    return licenceId;
  };
  router
    .route('/unsubscribe')
    // Mail providers send for all their readers from few addresses.
    .all(noStore, noReferrer, limiter.byAddress({ name: 'unsubscribe', max: limits.perAddress.reads }))
    .get((req, res) => {
      readLicence(req);
      const question = interstitialMessages(res).askToUnsubscribe;
      sendInterstitial(res, { ...question, form: { action: req.originalUrl, label: question.label } });
    })
    .post(async (req, res) => {
      await unsubscribe(licences, readLicence(req));
      sendInterstitial(res, interstitialMessages(res).unsubscribed);
    })
    .all(onlyGetOrPost);
}

/**
 * Limits requests that send a mail to an address that any visitor can name. A mailbox is counted for each network alone:
 * otherwise other visitors who know it could use up its owner's requests. How many links a mailbox gets from all networks is
 * bounded where they are made.
 * @param name the kind of mail; each kind is counted on its own
 * @param mailboxOf the mailbox of a request; undefined when it has none, and is refused later
 */
function limitMails(
  limiter: RateLimiter,
  { resetsPerDay, perAddress }: MailLimits,
  name: string,
  mailboxOf: (req: Request) => string | undefined,
  refuse?: RateLimit['refuse'],
): [RequestHandler, RequestHandler] {
  return [
    limiter.byAddress({ name: `${name}-address`, max: perAddress.mails, refuse }),
    limiter.byNetworkAnd({ name, max: resetsPerDay, windowMs: DAY_MS, refuse }, mailboxOf),
  ];
}

function resetForm(res: Response, typed: (name: string) => string): InterstitialForm {
  const { forms } = interstitialMessages(res);
  return {
    action: '/api/requestresetdevices',
    label: forms.reset.send,
    fields: [{ name: 'email', value: typed('email'), label: forms.email }],
  };
}

/** Says in a browser's page what the form of the site says of this answer. */
function answerReset(res: Response, status: number, text: string): void {
  if (!isForm(res.req)) return sendText(res, status, text);

  const { forms, problem } = interstitialMessages(res);
  const { sent, none, invalid, failed } = forms.reset;
  res.status(status);
  if (status === 200) return sendInterstitial(res, { ...sent, link: { href: PAGES.home, label: problem.home } });
  const why = text === NO_LICENCE ? none : text === INVALID_EMAIL ? invalid : failed;
  const form = redisplayForm(res);
  sendInterstitial(res, { title: forms.refusal, text: why, ...(form && { form }) });
}

function linkBodyFor(action: string, page: string, ownOrigin: () => string): RequestHandler {
  return jsonOrForm({ ownOrigin, page, again: (res, typed) => linkForm(res, action, typed('token')) });
}

function readEmail({ body }: Request): string | undefined {
  const result = v.safeParse(resetSchema, body);
  return result.success ? result.output.email : undefined;
}

/** @throws AppError `RST_TOKEN` also when the token is malformed: a link that was cut off works no more */
function readToken(req: Request): string {
  const body = isForm(req) ? { token: extractToken(req.body) } : (req.body as unknown);
  return parse(linkSchema, body, { token: 'RST_TOKEN' }).token;
}

const TOKEN_LETTERS = 43;

/** A form takes all of a link. However a mail program has written it, it ends with the token. */
function extractToken(body: unknown): string {
  const { token } = (body ?? {}) as { token?: unknown };
  return typeof token === 'string' ? readPasted(token).slice(-TOKEN_LETTERS) : '';
}

/** The page of a device does not have it in its form, which is the same for all. */
function readClaimRequest(req: Request) {
  const body = req.body as Record<string, unknown> | undefined;
  const claim = isForm(req) ? { hwid: deviceQuery(req)['hwid'], ...body } : body;
  return parse(claimPlanSchema, claim, { hwid: 'KS_HWID' });
}
