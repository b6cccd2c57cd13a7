import { DEFAULT_OS, HWID_PATTERN, parseOs } from '@app/contracts/key-system';
import { Router, type ErrorRequestHandler, type Response } from 'express';
import * as v from 'valibot';
import { parseHwid } from '#api/features/devices/visitor.ts';
import { jsonBody } from '#api/http/json-body.ts';
import { singleString } from '#api/http/single-string.ts';
import type { CaptchaService } from './captcha.service.ts';

const answerSchema = v.object({
  'g-recaptcha-response': v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  hwid: v.pipe(v.string(), v.regex(HWID_PATTERN)),
  OS: v.string(),
  advertiser: v.nullish(v.pipe(v.string(), v.maxLength(32)), null),
});

export function captchaRoutes(captcha: CaptchaService): Router {
  const router = Router();

  router.get('/captcha/challenge', async (req, res) => {
    const hwid = parseHwid(req.query['hwid']);
    const os = parseOs(singleString(req.query['os'])) ?? DEFAULT_OS;
    res.json(await captcha.challenge(hwid, os));
  });

  router.post('/v2/verify-captcha', jsonBody, async (req, res) => {
    const body = v.safeParse(answerSchema, req.body);
    if (!body.success) return sayPlainly(res, 400, 'false');

    const { 'g-recaptcha-response': token, hwid, OS, advertiser } = body.output;
    const passed = await captcha.verify({ token, hwid, os: parseOs(OS) ?? DEFAULT_OS, advertiser });
    sayPlainly(res, 200, passed ? 'true' : 'false');
  });
  router.use('/v2/verify-captcha', unreadableIsFalse);

  return router;
}

/** This one call speaks plain text: its reply counts only when it is exactly "true". */
function sayPlainly(res: Response, status: number, text: 'true' | 'false'): void {
  res.status(status).type('text/plain').send(text);
}

const unreadableIsFalse: ErrorRequestHandler = (thrown: unknown, _req, res, next) => {
  const isUnreadable = thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500;
  if (!isUnreadable) return next(thrown);

  sayPlainly(res, 400, 'false');
};
