import { Router, type Request } from 'express';
import * as v from 'valibot';
import type { ActivePlan } from '@app/contracts/active-plan';
import { parseHwid } from '#api/features/devices/device-claim.ts';
import { jsonBody } from '#api/http/json-body.ts';
import { onlyPost, onlyRead } from '#api/http/only-methods.ts';
import { sayWhenUnreadable, sendPlainly } from '#api/http/plain-text.ts';
import type { RateLimit, RateLimiter } from '#api/http/rate-limit.ts';
import type { LicencesService } from './licences.service.ts';

const INVALID_EMAIL = 'Please enter a valid email.';
const TOO_MANY = 'Too many requests.';
const NO_LICENCE = 'No active subscriptions or licenses.';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const LONGEST_EMAIL = 254;

/** One @ with text on both sides. Line breaks are refused: one could begin a header of a mail (threat 30). */
const emailSchema = v.pipe(
  v.string(),
  v.regex(/^[^\r\n]*$/),
  v.trim(),
  v.maxLength(LONGEST_EMAIL),
  v.regex(/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u),
);
const resetSchema = v.object({ email: emailSchema });

interface LicencesRoutesDeps {
  /** The plan that a device has now. */
  findPlan: (hwid: string) => Promise<ActivePlan | null>;
  now: () => number;
  licences: LicencesService;
  /** How many requests are allowed for one e-mail address in a day, and from one network in an hour. */
  limits: {
    resetsPerDay: number;
    networkResetsPerHour: number;
    statesPerMinute: number;
    perAddress: { reads: number };
  };
  limiter: RateLimiter;
}

/** The routes of device resets. The page compares these answers word for word, as plain text. */
export function licencesRoutes({ licences, findPlan, limits, limiter, now }: LicencesRoutesDeps): Router {
  const router = Router();

  const limitStatus = limiter.byDevice(
    { name: 'plan-status', max: limits.statesPerMinute },
    (req) => parseHwid(req.query['hwid']),
    limits.perAddress.reads,
  );
  router.get('/plan-status', limitStatus, async (req, res) => {
    res.json({ plan: await findPlan(parseHwid(req.query['hwid'])), now: now() });
  });
  router.all('/plan-status', onlyRead);

  const refuse: RateLimit['refuse'] = (res) => sendPlainly(res, res.statusCode, TOO_MANY);
  const limitNetworks = limiter.byNetwork({
    name: 'reset-network',
    max: limits.networkResetsPerHour,
    windowMs: HOUR_MS,
    refuse,
  });
  // In lower case, because no common mail server distinguishes upper and lower case.
  const limitMailbox = limiter.byKey({ name: 'reset', max: limits.resetsPerDay, windowMs: DAY_MS, refuse }, (req) =>
    readEmail(req)?.toLowerCase(),
  );
  router.post('/requestresetdevices', jsonBody, limitNetworks, limitMailbox, async (req, res) => {
    const email = readEmail(req);
    if (email === undefined) return sendPlainly(res, 400, INVALID_EMAIL);

    const isRequested = await licences.requestReset(email);
    if (isRequested) return sendPlainly(res, 200, 'OK');
    sendPlainly(res, 404, NO_LICENCE);
  });
  router.use('/requestresetdevices', sayWhenUnreadable(INVALID_EMAIL));
  router.all('/requestresetdevices', onlyPost);

  return router;
}

function readEmail({ body }: Request): string | undefined {
  const result = v.safeParse(resetSchema, body);
  return result.success ? result.output.email : undefined;
}
