import { hwidSchema } from '@app/contracts/app-calls';
import { DEFAULT_OS, parseOs } from '@app/contracts/key-system';
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import * as v from 'valibot';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { Site } from '#api/foundation/module.ts';
import { parseHwid } from '#api/product/devices/device.ts';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import { handleParseError, sendText, UNAVAILABLE_RETRY_S } from '#api/foundation/http/handle-error.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { singleString } from '#api/foundation/http/request-input.ts';
import { onlyPost, onlyRead } from '#api/foundation/http/only-methods.ts';
import { captchas } from '#api/foundation/telemetry/metrics.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import type { CaptchaService } from './captcha.service.ts';

const answerSchema = v.object({
  'g-recaptcha-response': v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  hwid: hwidSchema,
  OS: v.string(),
  advertiser: v.nullish(v.pipe(v.string(), v.regex(/^[\x20-\x7e]{0,32}$/)), null),
});

interface CaptchaRoutesDeps extends Pick<Site, 'ensureVisitorCookie' | 'readIdentity' | 'limiter'> {
  captcha: CaptchaService;
  costFactorOf: (by: ClientIdentity) => Promise<number>;
  limits: Pick<Limits, 'challengesPerMinute' | 'captchasPerMinute' | 'perAddress'>;
  shedLoad: RequestHandler;
  warn: (error: ProviderError) => void;
}

/**
 * The routes of the captcha: `/captcha/challenge` gives a puzzle, `/v2/verify-captcha` trades a solution for a pass.
 */
export function captchaRoutes({
  captcha,
  costFactorOf,
  readIdentity,
  ensureVisitorCookie,
  limits,
  limiter,
  shedLoad,
  warn,
}: CaptchaRoutesDeps): Router {
  const router = Router();
  const { challengesPerMinute, captchasPerMinute, perAddress } = limits;

  const limitChallenges = limiter.byDevice(
    { name: 'challenge', max: challengesPerMinute },
    (req) => parseHwid(req.query['hwid']),
    perAddress.captchas,
  );
  router.get('/captcha/challenge', limitChallenges, shedLoad, async (req, res) => {
    const hwid = parseHwid(req.query['hwid']);
    const os = parseOs(singleString(req.query['os'])) ?? DEFAULT_OS;
    res.json(await captcha.challenge(hwid, os, { costFactor: await costFactorOf(readIdentity(req)) }));
  });

  router.all('/captcha/challenge', onlyRead);

  // This call answers in plain text. Only the exact reply "true" means that the captcha is passed.
  const limitAnswers = limiter.byDevice(
    { name: 'captcha', max: captchasPerMinute, refuse: (res) => sendText(res, res.statusCode, 'false') },
    (req) => parseHwid((req.body as { hwid?: unknown } | undefined)?.hwid),
    perAddress.captchas,
  );
  router.post('/v2/verify-captcha', jsonBody, limitAnswers, async (req, res) => {
    const body = v.safeParse(answerSchema, req.body);
    if (!body.success) return sendText(res, 400, 'false');

    const { 'g-recaptcha-response': token, hwid, OS, advertiser } = body.output;
    const by = readIdentity(req);
    const passed = await captcha.verify({
      token,
      hwid,
      os: parseOs(OS) ?? DEFAULT_OS,
      advertiser,
      visitorHmac: ensureVisitorCookie(by, res),
      ipHmac: by.networks[0],
    });
    captchas.inc({ outcome: passed ? 'passed' : 'refused' });
    sendText(res, 200, passed ? 'true' : 'false');
  });
  router.use('/v2/verify-captcha', handleParseError('false'), handleProviderError(warn));
  router.all('/v2/verify-captcha', onlyPost);

  return router;
}

/** Answers 503 when the provider could not check the captcha: it is neither passed nor failed. */
function handleProviderError(warn: (error: ProviderError) => void): ErrorRequestHandler {
  return (thrown: unknown, _req, res, next) => {
    if (!(thrown instanceof ProviderError)) return next(thrown);

    captchas.inc({ outcome: 'unavailable' });
    warn(thrown);
    res.set('retry-after', String(UNAVAILABLE_RETRY_S));
    sendText(res, 503, 'error');
  };
}
