import { claimPlanSchema, linkSchema } from '@app/contracts/till-requests';
import { Router, type Request } from 'express';
import { jsonBody, parse } from '#api/foundation/http/request-input.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import type { AfterAnswer } from './after-answer.ts';
import { confirmClaim } from './confirm-claim.ts';
import { confirmReset } from './confirm-reset.ts';
import type { Licences } from './licences.ts';
import { limitMails, type MailLimits } from './limit-mails.ts';
import { readClaim } from './read-claim.ts';
import { readReset } from './read-reset.ts';
import { requestClaim } from './request-claim.ts';

interface LinksRoutesDeps {
  licences: Licences;
  afterAnswer: AfterAnswer;
  limits: MailLimits;
  limiter: RateLimiter;
}

/**
 * The routes of the links in mails: what a link would do, and doing it. All of them take POST alone, because programs
 * that scan mails open every link with GET.
 */
export function linksRoutes({ licences, afterAnswer, limits, limiter }: LinksRoutesDeps): Router {
  const router = Router();

  router.post('/reset-details', jsonBody, async (req, res) => {
    res.json(await readReset(licences, readToken(req)));
  });
  router.post('/confirmresetdevices', jsonBody, async (req, res) => {
    await confirmReset(licences, readToken(req));
    res.status(204).end();
  });

  // Whoever asks is never told whether the address has a plan, so the answer comes before anything is looked up.
  const mailboxOf = (req: Request) => licences.emails.hmac(readClaimRequest(req).email);
  router.post('/claim-plan', jsonBody, ...limitMails(limiter, limits, 'claim', mailboxOf), (req, res) => {
    const claim = readClaimRequest(req);
    res.status(204).end();
    afterAnswer.add(() => requestClaim(licences, claim));
  });
  router.post('/claim-details', jsonBody, async (req, res) => {
    res.json(await readClaim(licences, readToken(req)));
  });
  router.post('/confirm-claim', jsonBody, async (req, res) => {
    res.json(await confirmClaim(licences, readToken(req)));
  });

  router.all(['/reset-details', '/confirmresetdevices', '/claim-plan', '/claim-details', '/confirm-claim'], onlyPost);
  return router;
}

/** @throws AppError `RST_TOKEN` also when the token is malformed: a link that was cut off works no more */
function readToken({ body }: Request): string {
  return parse(linkSchema, body, { token: 'RST_TOKEN' }).token;
}

function readClaimRequest({ body }: Request) {
  return parse(claimPlanSchema, body, { hwid: 'KS_HWID' });
}
