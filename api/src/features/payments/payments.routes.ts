import { PLANS, type Plan } from '@app/contracts/plans';
import { Router } from 'express';
import { parseVisitor, type Visitor } from '#api/features/devices/visitor.ts';
import { AppError } from '#api/http/app-error.ts';
import { meantNavigation } from '#api/http/fetch-metadata.ts';
import { noReferrer } from '#api/http/headers.ts';

const QUESTION = {
  title: 'Continue to payment?',
  text: 'Another site sent you here. If you meant to buy a plan, continue.',
};

/** No payment can be taken yet, so a purchase that is otherwise in order ends on the page for failed ones. */
export function paymentsRoutes({ ownHost }: { ownHost: () => string }): Router {
  const router = Router();

  router.get('/create-payment', meantNavigation(ownHost, QUESTION), noReferrer, (req, res) => {
    parsePlan(req.query['mode']);
    res.redirect(303, failedAddress(parseVisitor(req.query)));
  });

  return router;
}

function parsePlan(mode: unknown): Plan {
  const plan = PLANS.find((candidate) => String(candidate.mode) === mode);
  if (!plan) throw new AppError('PAY_MODE');

  return plan;
}

/** The page keeps who it is about, so that Retry leads to the same plans. */
function failedAddress({ hwid, zone }: Visitor): string {
  const query = new URLSearchParams({ hwid, ...(zone === '' ? {} : { zone }) });
  return `/payment-failed?${query.toString()}`;
}
