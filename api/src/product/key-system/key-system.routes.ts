import { ERRORS } from '@app/contracts/errors';
import { APP_ID_PATTERN, type AppId, DEFAULT_OS, isSpecified, parseOs } from '@app/contracts/key-system';
import { deviceQuerySchema, usualRunQuerySchema } from '@app/contracts/app-calls';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import * as v from 'valibot';
import { DEVICE_CLAIM_CODES, type DeviceClaim, parseDeviceClaim, parseHwid } from '#api/product/devices/device.ts';
import type { Site } from '#api/foundation/module.ts';
import { isSameSecret } from '#api/foundation/crypto/secrets.ts';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { requireUserNavigation, refusePrefetch } from '#api/foundation/http/fetch-metadata.ts';
import { noReferrer } from '#api/foundation/http/headers.ts';
import { formatWords, interstitialMessages, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { onlyGet, onlyGetOrPost, onlyRead } from '#api/foundation/http/only-methods.ts';
import { describeIssues, parse, singleString } from '#api/foundation/http/request-input.ts';
import { refusals } from '#api/foundation/telemetry/metrics.ts';
import { type Destination, destinationUrl } from './destinations.ts';
import type { KeySystem } from './key-system.ts';
import type { AdmissionQueue } from './start/admission-queue.ts';
import { isAwaiting, readState, readUsualRun } from './state/read-state.ts';
import type { WaitForChange } from '#api/product/devices/wait-for-change.ts';
import { receivePostback } from './postback/receive-postback.ts';
import { RETRY_AFTER_MS, returnVisit } from './return/return-visit.ts';
import { type StartRequest, startRun } from './start/start-run.ts';
import { isTicket } from './ticket.ts';

/** Printable ASCII, which advertisers' ids consist of. PostgreSQL refuses some other characters (NUL). */
const postbackSchema = v.object({
  click_id: v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,64}$/)),
  unique_id: v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,128}$/)),
});

const RUN_CHOICES = ['keep', 'new', 'stay'] as const;

interface KeySystemRoutesDeps extends Pick<Site, 'ensureVisitorCookie' | 'readIdentity' | 'limiter'> {
  keySystem: KeySystem;
  admissionQueue: AdmissionQueue;
  ownOrigin: () => string;
  shedStates: RequestHandler;
  waitForChange: WaitForChange;
  /** Called with the fields that were missing or unreadable in a postback with the right secret. */
  warnAboutPostback: (fields: string[]) => void;
}

export function keySystemRoutes({
  keySystem,
  admissionQueue,
  ensureVisitorCookie,
  readIdentity,
  ownOrigin,
  limiter,
  shedStates,
  waitForChange,
  warnAboutPostback,
}: KeySystemRoutesDeps): Router {
  const { limits } = keySystem;
  const router = Router();

  const startStep = (specified?: AppId) => async (req: Request, res: Response) => {
    const appId = specified ?? parseRegistered(req.params['app']);
    const by = readIdentity(req);
    const request = readStart(appId, req, { by, visitorHmac: ensureVisitorCookie(by, res) });
    if (request instanceof AppError) {
      if (wantsJson(req)) throw request;
      return redirectToPage(res, appId, { page: 'step', step: 1, notice: request.code });
    }

    const result = await startRun(keySystem, request);
    if (result.kind === 'advertiser') return void res.redirect(302, result.url);
    if (result.kind === 'overloaded') return rejectRun(req, res, admissionQueue.join(request.by.networks[0]));
    redirectToPage(res, appId, result.destination, request.visitor);
  };
  for (const [path, appId] of [
    ['/keysystemv2', 'main'],
    ['/saverobux/keysystem', 'companion'],
    ['/apps/:app/keysystem', undefined],
  ] as const) {
    const start = [requireUserNavigation(ownOrigin), noReferrer, startStep(appId)];
    router.route(path).get(start).post(start).all(onlyGetOrPost);
  }

  router.get('/apps/sandbox/visit/:ticket', refusePrefetch, noReferrer, (req, res, next) => {
    const { ticket } = req.params;
    if (typeof ticket !== 'string' || !isTicket(ticket)) return next('router');
    const { title, text, goOn } = interstitialMessages(res).sandbox;
    const link = { href: `/api/keysystem/return/${ticket}`, label: goOn };
    sendInterstitial(res.set('cache-control', 'no-store'), { title, text, link });
  });
  router.all('/apps/sandbox/visit/:ticket', onlyGet);

  router.use('/keysystem/return', refusePrefetch, noReferrer);
  router.use(
    '/keysystem/return/:ticket',
    limiter.byKey({ name: 'return', max: limits.returnsPerMinute, refuse: sendTooManyReturns }, ticketOf),
  );
  router.get('/keysystem/return/:ticket', async (req, res, next) => {
    const visit = { ticket: req.params.ticket, query: req.query, by: readIdentity(req) };
    const result = await returnVisit(keySystem, visit).catch(mapToBusy);
    if (result.kind === 'busy' || result.kind === 'wait') {
      const waitS = Math.ceil(result.waitMs / 1000);
      if (result.kind === 'busy') res.status(503).set('retry-after', String(waitS));
      return sendRetryPage(res, 'tooEarly', waitS);
    }
    if (result.kind === 'unknown') return next();

    redirectToPage(res, result.appId, result.destination, result.visitor);
  });

  // Counted only after the ticket was looked up: a visitor behind the same address may come back with a proof that lives
  // for seconds.
  const guesses = { name: 'unknown-return', max: limits.unknownReturnsPerMinute, refuse: sendTooManyReturns };
  router.get('/keysystem/return/:ticket', limiter.byAddress(guesses), (_req, res) => {
    redirectToPage(res, 'main', { page: 'bypass', reason: 'KS_TICKET' });
  });
  router.all('/keysystem/return/:ticket', onlyGet);

  router.use('/keysystem/postback', refusePrefetch);
  router.get('/keysystem/postback/:secret', async (req, res) => {
    if (!isSameSecret(req.params.secret, keySystem.postbackSecret())) throw new AppError('KS_PROOF');
    const postback = v.safeParse(postbackSchema, req.query);
    if (!postback.success) {
      // Only LootLabs knows the secret, so the address in its panel is wrong, and no such visit is credited.
      warnAboutPostback(Object.keys(v.flatten(postback.issues).nested ?? {}));
      throw new AppError('request.invalid', describeIssues(postback.issues));
    }
    const { click_id: clickId, unique_id: uniqueId } = postback.output;
    await receivePostback(keySystem, { clickId, uniqueId });
    res.type('text/plain').send('ok');
  });
  router.all('/keysystem/postback/:secret', onlyGet);

  const limitStates = limiter.byDevice(
    { name: 'state', max: limits.statesPerMinute },
    (req) => parseHwid(req.query['hwid']),
    limits.perAddress.reads,
  );
  router.get('/keysystem/state', shedStates, limitStates, async (req, res) => {
    const { app, ...visitor } = parse(deviceQuerySchema, req.query, DEVICE_CLAIM_CODES);
    const by = readIdentity(req);
    const read = () => readState(keySystem, app, visitor, by);
    const state = await waitForChange(req, res, { app, hwid: visitor.hwid, by, read, isAwaiting });
    res.json({ ...state, now: keySystem.now() });
  });
  router.all('/keysystem/state', onlyRead);

  // For visitors without a device, who have no state.
  const limitUsual = limiter.byAddress({ name: 'usual-run', max: limits.statesPerMinute });
  router.get('/keysystem/usual-run', shedStates, limitUsual, async (req, res) => {
    const { app } = parse(usualRunQuerySchema, req.query, DEVICE_CLAIM_CODES);
    res.set('cache-control', 'public, max-age=300').json(await readUsualRun(keySystem.db, app));
  });
  router.all('/keysystem/usual-run', onlyRead);

  return router;
}

/** Apps of the specification have addresses of their own. @throws AppError `KS_APP` when no app can have this id */
function parseRegistered(id: unknown): AppId {
  if (typeof id === 'string' && APP_ID_PATTERN.test(id) && !isSpecified(id)) return id;
  throw new AppError('KS_APP');
}

/** An unusable address is a value and not thrown, because a browser then gets a page that explains it. */
function readStart(
  appId: AppId,
  { query }: Request,
  who: Pick<StartRequest, 'by' | 'visitorHmac'>,
): StartRequest | AppError {
  try {
    const os = parseOs(singleString(query['os']));
    const step = singleString(query['step']);

    return {
      appId,
      visitor: { ...parseDeviceClaim(query), os },
      // Other apps' calls need not name a system, so a pass for any system of the device will do.
      os: appId === 'main' ? (os ?? DEFAULT_OS) : os,
      advertiser: singleString(query['advertiser']),
      ...who,
      step: step === undefined ? undefined : Number(step),
      run: RUN_CHOICES.find((choice) => choice === query['run']),
    };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Turns "database unavailable" into a wait: the proof lives for seconds, so the page tries again by itself. */
function mapToBusy(error: unknown): { kind: 'busy'; waitMs: number } {
  if (error instanceof DatabaseUnavailable || error instanceof SignerUnavailable)
    return { kind: 'busy', waitMs: RETRY_AFTER_MS };
  throw error;
}

/** The page repeats the request by itself. */
function rejectRun(req: Request, res: Response, seconds: number): void {
  res.set('retry-after', String(seconds));
  if (wantsJson(req)) throw new AppError('KS_BUSY');

  res.status(ERRORS.KS_BUSY.status);
  sendRetryPage(res, 'runsAreFull', seconds);
}

/** Sends a page that repeats its request after some seconds. */
function sendRetryPage(res: Response, words: 'runsAreFull' | 'tooEarly', waitS: number): void {
  sendInterstitial(res, { ...formatWords(res, interstitialMessages(res)[words], { waitS }), refreshInSeconds: waitS });
}

/** Undefined for a malformed ticket, which counts as a guess. */
function ticketOf({ params: { ticket } }: Request): string | undefined {
  return typeof ticket === 'string' && isTicket(ticket) ? ticket : undefined;
}

/** Answers a client that opens one return address too often. Nothing is lost; the page goes on by itself. */
function sendTooManyReturns(res: Response, waitS: number): void {
  sendInterstitial(res, { ...interstitialMessages(res).openedTooOften, refreshInSeconds: waitS });
}

/** Whether the client asks for JSON. It gets the error as JSON; a browser gets a page that explains it. */
function wantsJson(req: Request): boolean {
  return req.accepts(['html', 'json']) === 'json';
}

/** Leads a visitor to a page, and counts the code that the page explains, if it does. */
function redirectToPage(res: Response, appId: AppId, destination: Destination, visitor?: Partial<DeviceClaim>): void {
  const code = destination.page === 'bypass' ? destination.reason : destination.page === 'step' && destination.notice;
  if (code) refusals.inc({ code });
  res.redirect(303, destinationUrl(appId, destination, visitor));
}
