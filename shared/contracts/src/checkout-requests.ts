import * as v from 'valibot';
import { hwidSchema } from './app-calls.ts';
import { readPasted, readWrapped } from './read-pasted.ts';
import { LINK_TOKEN_PATTERN } from './checkout.ts';
import { trimEmail } from './trim-email.ts';

/** One @ with text on both sides, and nothing that only lists and names of mail programs have. Line breaks are refused: one could begin a header of a mail. */
export const emailSchema = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.regex(/^[^\r\n]*$/),
  v.transform(trimEmail),
  v.maxLength(254),
  v.regex(/^[^\s\p{Cc}@<>,;"]+@[^\s\p{Cc}@<>,;"]+$/u),
);

/** The reference of an order, which only its buyer knows. */
export const orderRefSchema = v.pipe(v.string(), v.regex(/^[\w-]{20,64}$/));

/** The body of `POST /api/order-consent`. Answered with 204. */
export const orderConsentSchema = v.object({ ref: orderRefSchema, showsName: v.boolean(), wantsReminder: v.boolean() });

/** The body of `POST /api/redeem`: a code of a reseller, for a device. */
export const redeemSchema = v.object({
  email: emailSchema,
  hwid: v.pipe(v.string(), v.transform(readPasted), hwidSchema),
  code: v.pipe(v.string(), v.transform(readWrapped), v.minLength(1), v.maxLength(64)),
});

/** The body of the calls for a link of a mail: `/api/reset-details`, `/api/confirmresetdevices`, … */
export const linkSchema = v.object({
  token: v.pipe(v.string(), v.transform(readPasted), v.regex(LINK_TOKEN_PATTERN)),
});

/** The body of `POST /api/claim-plan`: adds a device to a plan by a link in a mail. Always answered with 204. */
export const claimPlanSchema = v.object({ email: emailSchema, hwid: hwidSchema });
