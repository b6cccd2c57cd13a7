import type { ActivePlan } from '@app/contracts/active-plan';
import type { claimDetailsSchema, resetDetailsSchema } from '@app/contracts/checkout';
import { PAGES } from '@app/contracts/pages';
import { PLANS } from '@app/contracts/plans';
import type { Response } from 'express';
import type { InferOutput } from 'valibot';
import {
  formatWords,
  type InterstitialForm,
  interstitialMessages,
  sendInterstitial,
} from '#api/foundation/http/interstitial.ts';
import { singleString } from '#api/foundation/http/request-input.ts';
import { deviceQuery } from '#api/product/devices/device.ts';
import { formatDay } from '#api/product/mail/format-date.ts';

/**
 * What the links of mails lead to without JavaScript: the server does not see what is after the `#` of an address, so the
 * reader pastes the link into a form, and these pages ask as those of the site do.
 */

export function linkForm(res: Response, action: string, link: string): InterstitialForm {
  const { forms } = interstitialMessages(res);
  return { action, label: forms.readLink, fields: [{ name: 'token', value: link, label: forms.link }] };
}

export function askForLink(res: Response, action: string): void {
  sendInterstitial(res, { ...interstitialMessages(res).forms.paste, form: linkForm(res, action, '') });
}

export function askToReset(res: Response, token: string, details: InferOutput<typeof resetDetailsSchema>): void {
  const { locale, forms, problem } = interstitialMessages(res);
  const { nextAt, devices, plan } = details;
  const nothing =
    nextAt !== null ? formatWords(res, forms.reset.later, { day: formatDay(nextAt, null, locale) }) : forms.reset.empty;
  if (nextAt !== null || devices.length === 0)
    return sendInterstitial(res, { ...nothing, link: { href: PAGES.home, label: problem.home } });

  const form = {
    action: '/api/confirmresetdevices',
    label: forms.reset.send,
    fields: [{ name: 'token', value: token }],
  };
  sendInterstitial(res, {
    ...formatWords(res, forms.reset.ask, { devices: devices.length, ...describe(res, plan) }),
    form,
  });
}

export function askToClaim(res: Response, token: string, details: InferOutput<typeof claimDetailsSchema>): void {
  const { forms } = interstitialMessages(res);
  const { device, plan, isBound, freePlaces } = details;
  if (isBound) return sayClaimed(res, plan);
  if (freePlaces === 0)
    return sendInterstitial(res, {
      ...forms.claim.full,
      link: { href: `${PAGES.v5}#reset`, label: forms.reset.send },
    });

  const form = { action: '/api/confirm-claim', label: forms.claim.send, fields: [{ name: 'token', value: token }] };
  sendInterstitial(res, { ...formatWords(res, forms.claim.confirm, { device, ...describe(res, plan) }), form });
}

export function sayClaimed(res: Response, plan: ActivePlan): void {
  const { forms } = interstitialMessages(res);
  const link = { href: `${PAGES.v5}#downloads`, label: forms.downloads };
  sendInterstitial(res, { ...formatWords(res, forms.claim.done, describe(res, plan)), link });
}

/** The form that asks for a link, which adds the device of the page that had it. */
export function claimForm(res: Response, typed: (name: string) => string): InterstitialForm {
  const { forms } = interstitialMessages(res);
  const hwid = typed('hwid') || (singleString(deviceQuery(res.req)['hwid']) ?? '');
  return {
    action: '/api/claim-plan',
    label: forms.claim.ask,
    fields: [
      { name: 'email', value: typed('email'), label: forms.email },
      { name: 'hwid', value: hwid, label: forms.device },
    ],
  };
}

export function askForEmail(res: Response): void {
  sendInterstitial(res, { ...interstitialMessages(res).forms.claim.request, form: claimForm(res, () => '') });
}

/** Does not tell whether the address has a plan. */
export function sendClaimAsked(res: Response): void {
  const { forms, problem } = interstitialMessages(res);
  sendInterstitial(res, { ...forms.claim.asked, link: { href: PAGES.home, label: problem.home } });
}

function describe(res: Response, { id, until }: ActivePlan): { plan: string; day: string } {
  const { name } = PLANS.find((plan) => plan.id === id) ?? PLANS[0];
  return { plan: name, day: formatDay(until, null, interstitialMessages(res).locale) };
}
