import type { ActivePlan } from '@app/contracts/active-plan';
import { emailSchema } from '@app/contracts/till-requests';
import { Router, type Request } from 'express';
import * as v from 'valibot';
import { parseHwid } from '#api/product/devices/device-claim.ts';
import { jsonBody } from '#api/foundation/http/request-input.ts';
import { onlyPost, onlyRead } from '#api/foundation/http/only-methods.ts';
import { sayWhenUnreadable, sendPlainly } from '#api/foundation/http/handle-error.ts';
import type { RateLimit, RateLimiter } from '#api/foundation/http/rate-limit.ts';
import type { AfterAnswer } from './after-answer.ts';
import type { Licences } from './licences.ts';
import { limitMails, type MailLimits } from './limit-mails.ts';
import { requestReset } from './request-reset.ts';

const INVALID_EMAIL = 'Please enter a valid email.';
const TOO_MANY = 'Too many requests.';
const NO_LICENCE = 'No active subscriptions or licenses.';
/** The page says that it could not be done, as of every failure without a text of its own. */
const NO_MAILBOX = 'The mail server of this address refuses mail for it.';

const resetSchema = v.object({ email: emailSchema });

interface LicencesRoutesDeps {
  /** The plan that a device has now. */
  findPlan: (hwid: string) => Promise<ActivePlan | null>;
  licences: Licences;
  /** With `strict` every address gets the same answer, before it is looked for. */
  resetPrivacy: 'spec' | 'strict';
  afterAnswer: AfterAnswer;
  limits: MailLimits & { statesPerMinute: number; perAddress: { reads: number } };
  limiter: RateLimiter;
}

/**
 * The routes of plans: the one that a device has, and the form that resets devices. The page of this form compares the
 * answers word for word, as plain text.
 */
export function licencesRoutes({
  licences,
  findPlan,
  resetPrivacy,
  afterAnswer,
  limits,
  limiter,
}: LicencesRoutesDeps): Router {
  const router = Router();

  const limitStatus = limiter.byDevice(
    { name: 'plan-status', max: limits.statesPerMinute },
    (req) => parseHwid(req.query['hwid']),
    limits.perAddress.reads,
  );
  router.get('/plan-status', limitStatus, async (req, res) => {
    res.json({ plan: await findPlan(parseHwid(req.query['hwid'])), now: licences.now() });
  });
  router.all('/plan-status', onlyRead);

  const mailboxOf = (req: Request) => {
    const email = readEmail(req);
    return email === undefined ? undefined : licences.emails.hmac(email);
  };
  const refuse: RateLimit['refuse'] = (res) => sendPlainly(res, res.statusCode, TOO_MANY);
  router.post(
    '/requestresetdevices',
    jsonBody,
    ...limitMails(limiter, limits, 'reset', mailboxOf, refuse),
    async (req, res) => {
      const email = readEmail(req);
      if (email === undefined) return sendPlainly(res, 400, INVALID_EMAIL);

      if (resetPrivacy === 'strict') {
        sendPlainly(res, 200, 'OK');
        return afterAnswer.add(() => requestReset(licences, email));
      }
      switch (await requestReset(licences, email)) {
        case 'requested':
          return sendPlainly(res, 200, 'OK');
        case 'refused':
          return sendPlainly(res, 502, NO_MAILBOX);
        case 'unknown':
          return sendPlainly(res, 404, NO_LICENCE);
      }
    },
  );
  router.use('/requestresetdevices', sayWhenUnreadable(INVALID_EMAIL));
  router.all('/requestresetdevices', onlyPost);

  return router;
}

function readEmail({ body }: Request): string | undefined {
  const result = v.safeParse(resetSchema, body);
  return result.success ? result.output.email : undefined;
}
