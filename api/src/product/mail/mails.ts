import { COMMUNITY_LINKS, PRODUCT } from '@app/contracts/brand';
import type { PlanId } from '@app/contracts/active-plan';
import { PAGES } from '@app/contracts/pages';
import { formatPrice, PLANS } from '@app/contracts/plans';
import { escapeHtml } from '#api/foundation/http/html.ts';

export type MailKind =
  'receipt' | 'redeemed' | 'reset-link' | 'reset-done' | 'claim-link' | 'device-added' | 'reminder';

/** A mail in English, complete but for its sender. */
export interface Mail {
  kind: MailKind;
  /** The e-mail address. */
  to: string;
  /** Never has text that a visitor has typed: it is a header. */
  subject: string;
  text: string;
  /** The same as `text`, for programs that show HTML. */
  html: string;
  /** When the mail is of no use any more, in epoch milliseconds: the end of its link. */
  expiresAt?: number | undefined;
}

/** What every mail needs. Times are epoch milliseconds. */
interface Basics {
  /** The e-mail address of the plan's owner. */
  to: string;
  /** The site's own origin. */
  baseUrl: string;
}

const SUPPORT = COMMUNITY_LINKS[0].href;
const MISTAKE = `If this was not you, write to our support: ${SUPPORT}`;

/** After a payment. */
export function buildReceipt({
  to,
  baseUrl,
  planId,
  amountCents,
  until,
  orderRef,
}: Basics & { planId: PlanId; amountCents: number; until: number; orderRef: string }): Mail {
  return composeMail('receipt', to, `Your ${nameOf(planId)} plan is active`, [
    `Thank you. Your ${nameOf(planId)} plan is active until ${sayWhen(until)}.`,
    `Paid: ${formatPrice(amountCents)}`,
    `Order: ${orderRef}`,
    `To get your money back, write to our support with this order number: ${SUPPORT}`,
    'Your plan, and how to use it on a new device:',
    { link: `${baseUrl}${PAGES.plans}` },
  ]);
}

/** After a reseller's code was redeemed. */
export function buildRedeemed({
  to,
  baseUrl,
  planId,
  until,
  reseller,
}: Basics & { planId: PlanId; until: number; reseller: string }): Mail {
  return composeMail('redeemed', to, `Your ${nameOf(planId)} plan is active`, [
    `Your code from ${reseller} was redeemed. Your ${nameOf(planId)} plan is active until ${sayWhen(until)}.`,
    `Questions about the purchase are for ${reseller}, who sold the code.`,
    'Your plan, and how to use it on a new device:',
    { link: `${baseUrl}${PAGES.plans}` },
  ]);
}

/** The link that resets devices. `nextAt`: when a reset is allowed next; null when it is allowed now. */
export function buildResetLink({
  to,
  link,
  expiresAt,
  nextAt,
}: {
  to: string;
  link: string;
  expiresAt: number;
  nextAt: number | null;
}): Mail {
  const mail = composeMail('reset-link', to, 'Reset your devices', [
    'Somebody asked to reset the devices of your plan. If it was you, open this link and confirm:',
    { link },
    `The link works once, until ${sayWhen(expiresAt)}.`,
    ...(nextAt === null
      ? []
      : [`Your devices were reset a short time ago. The next reset is possible from ${sayWhen(nextAt)}.`]),
    'If it was not you, do nothing: your devices stay as they are.',
  ]);
  return { ...mail, expiresAt };
}

/** After a reset. `nextAt`: when the next one is allowed. */
export function buildResetDone({ to, baseUrl, nextAt }: Basics & { nextAt: number }): Mail {
  return composeMail('reset-done', to, 'Your devices were reset', [
    'The devices of your plan were reset. Your plan goes on.',
    'To use it on a device again, open our page of plans from the app and choose "I have a plan":',
    { link: `${baseUrl}${PAGES.plans}` },
    `The next reset is possible from ${sayWhen(nextAt)}.`,
    MISTAKE,
  ]);
}

/** The link that adds a device to a plan. `device`: the device id, shortened. */
export function buildClaimLink({
  to,
  link,
  device,
  expiresAt,
}: {
  to: string;
  link: string;
  device: string;
  expiresAt: number;
}): Mail {
  const mail = composeMail('claim-link', to, 'Add a device to your plan', [
    `Somebody asked to use your plan on the device ${device}. If it was you, open this link and confirm:`,
    { link },
    `The link works once, until ${sayWhen(expiresAt)}.`,
    'If it was not you, do nothing: no device is added.',
  ]);
  return { ...mail, expiresAt };
}

/** After a device was added to a plan. `device`: the device id, shortened. */
export function buildDeviceAdded({ to, device, until }: { to: string; device: string; until: number }): Mail {
  return composeMail('device-added', to, 'A device was added to your plan', [
    `The device ${device} was added to your plan, which runs until ${sayWhen(until)}.`,
    MISTAKE,
  ]);
}

/** Before a plan ends. */
export function buildReminder({ to, baseUrl, until }: Basics & { until: number }): Mail {
  return composeMail('reminder', to, 'Your plan ends soon', [
    `Your plan ends on ${sayWhen(until)}. It does not renew itself, and nothing is charged.`,
    'To go on, open our page of plans from the app and choose a plan:',
    { link: `${baseUrl}${PAGES.plans}` },
    'You get this mail because you asked for it after your purchase.',
  ]);
}

function nameOf(planId: PlanId): string {
  return PLANS.find(({ id }) => id === planId)?.name ?? planId;
}

/** A paragraph: a text, or a link that stands alone. */
export type Paragraph = string | { link: string };

const SIGNATURE = `The ${PRODUCT.label} team`;

/** Writes a mail of some paragraphs, as text and as HTML. The HTML loads nothing from anywhere. */
function composeMail(kind: MailKind, to: string, subject: string, paragraphs: readonly Paragraph[]): Mail {
  const all = [...paragraphs, SIGNATURE];
  return {
    kind,
    to,
    subject,
    text: `${all.map((paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.link)).join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body>${all.map(writeHtml).join('')}</body></html>`,
  };
}

function writeHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph)}</p>`;

  const address = escapeHtml(paragraph.link);
  return `<p><a href="${address}">${address}</a></p>`;
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Writes a moment for people, such as `22 November 2026 at 07:30 UTC`. */
export function sayWhen(at: number): string {
  return `${DATE.format(at)} UTC`;
}
