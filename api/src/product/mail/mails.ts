import { COMMUNITY_LINKS } from '@app/contracts/brand';
import type { PlanId } from '@app/contracts/active-plan';
import { PAGES } from '@app/contracts/pages';
import { formatPrice, PLANS } from '@app/contracts/plans';
import { type Letter, writeText } from './letter.ts';
import { writeHtml } from './letter-html.ts';
import { EN, type MailWords } from './mail-words.ts';
import { VI } from './mail-words-vi.ts';
import { sayDay, sayWhen } from './say-when.ts';

export type MailKind =
  'receipt' | 'redeemed' | 'reset-link' | 'reset-done' | 'claim-link' | 'device-added' | 'reminder';

/** A mail, complete but for its sender. */
export interface Mail {
  kind: MailKind;
  /** The email address. */
  to: string;
  /** Never has text that a visitor has typed: it is a header. */
  subject: string;
  text: string;
  /** The same as `text`, for programs that show HTML. */
  html: string;
  /** When the mail is of no use any more, in epoch milliseconds: the end of its link. */
  expiresAt?: number | undefined;
  /** The address that ends mails of this kind: their reader opens it, or a mail program sends a POST to it (RFC 8058). */
  unsubscribe?: string | undefined;
}

/** Who reads a mail. */
export interface Reader {
  /** The email address of the plan's owner. */
  to: string;
  /** The country that the owner has paid in, as two letters; null when it is unknown. */
  country: string | null;
}

/** What every mail needs. Times are epoch milliseconds. */
interface Basics {
  reader: Reader;
  /** The site's own origin. */
  baseUrl: string;
}

const SUPPORT = COMMUNITY_LINKS[0].href;

/** After a payment. */
export function buildReceipt({
  reader,
  baseUrl,
  planId,
  amountCents,
  until,
  orderRef,
}: Basics & { planId: PlanId; amountCents: number; until: number; orderRef: string }): Mail {
  const { words, when } = speakTo(reader);
  const { button, ends, refund, ...texts } = words.receipt({
    plan: nameOf(planId),
    until: when(until),
    price: formatPrice(amountCents),
  });

  return compose('receipt', reader, words, {
    ...texts,
    showsKey: true,
    // The page of the order: it says how the plan stands, and lets its buyer ask for a reminder.
    button: { label: button, href: `${baseUrl}/success-${planId}?ref=${encodeURIComponent(orderRef)}` },
    notes: [words.newPhone, ends, { text: refund, href: SUPPORT }],
    last: words.order(orderRef),
  });
}

/** After a reseller's code was redeemed. */
export function buildRedeemed({
  reader,
  baseUrl,
  planId,
  until,
  reseller,
}: Basics & { planId: PlanId; until: number; reseller: string }): Mail {
  const { words, when } = speakTo(reader);
  const { button, questions, ...texts } = words.redeemed({ plan: nameOf(planId), until: when(until), reseller });

  return compose('redeemed', reader, words, {
    ...texts,
    showsKey: true,
    button: { label: button, href: `${baseUrl}${PAGES.plans}` },
    notes: [words.newPhone, questions],
  });
}

/** The link that resets devices. `nextAt`: when a reset is allowed next; null when it is allowed now. */
export function buildResetLink({
  reader,
  link,
  expiresAt,
  nextAt,
}: {
  reader: Reader;
  link: string;
  expiresAt: number;
  nextAt: number | null;
}): Mail {
  const { words, when } = speakTo(reader);
  const { button, early, ignore, ...texts } = words.resetLink({
    until: when(expiresAt),
    nextAt: nextAt === null ? null : when(nextAt),
  });

  return {
    ...compose('reset-link', reader, words, {
      ...texts,
      button: { label: button, href: link, isSecret: true },
      notes: nextAt === null ? [ignore] : [early, ignore],
    }),
    expiresAt,
  };
}

/** After a reset. `nextAt`: when the next one is allowed. */
export function buildResetDone({ reader, baseUrl, nextAt }: Basics & { nextAt: number }): Mail {
  const { words, when } = speakTo(reader);
  const { button, ...texts } = words.resetDone({ nextAt: when(nextAt) });

  return compose('reset-done', reader, words, {
    ...texts,
    button: { label: button, href: `${baseUrl}${PAGES.plans}` },
    notes: [{ text: words.notYou, href: SUPPORT }],
  });
}

/** The link that adds a device to a plan. `device`: the device id, shortened. */
export function buildClaimLink({
  reader,
  link,
  device,
  expiresAt,
}: {
  reader: Reader;
  link: string;
  device: string;
  expiresAt: number;
}): Mail {
  const { words, when } = speakTo(reader);
  const { button, ignore, ...texts } = words.claimLink({ device, until: when(expiresAt) });

  return {
    ...compose('claim-link', reader, words, {
      ...texts,
      button: { label: button, href: link, isSecret: true },
      notes: [ignore],
    }),
    expiresAt,
  };
}

/** After a device was added to a plan. `device`: the device id, shortened. */
export function buildDeviceAdded({ reader, device, until }: { reader: Reader; device: string; until: number }): Mail {
  const { words, when } = speakTo(reader);

  return compose('device-added', reader, words, {
    ...words.deviceAdded({ device, until: when(until) }),
    notes: [{ text: words.notYou, href: SUPPORT }],
  });
}

/** Before a plan ends. `unsubscribe`: the address that ends these mails. */
export function buildReminder({
  reader,
  baseUrl,
  planId,
  until,
  unsubscribe,
}: Basics & { planId: PlanId; until: number; unsubscribe: string }): Mail {
  const { words, when } = speakTo(reader);
  const { button, why, ...texts } = words.reminder({
    plan: nameOf(planId),
    until: when(until),
    day: sayDay(until, reader.country, words.locale, { weekday: 'long' }),
  });

  return {
    ...compose('reminder', reader, words, {
      ...texts,
      button: { label: button, href: `${baseUrl}${PAGES.plans}` },
      notes: [],
      last: { text: why, href: unsubscribe },
    }),
    unsubscribe,
  };
}

/** The words of a reader's language, and their times. */
function speakTo({ country }: Reader): { words: MailWords; when: (at: number) => string } {
  const words = country === 'VN' ? VI : EN;
  return { words, when: (at) => sayWhen(at, country, words) };
}

function nameOf(planId: PlanId): string {
  return PLANS.find(({ id }) => id === planId)?.name ?? planId;
}

function compose(
  kind: MailKind,
  { to }: Reader,
  words: MailWords,
  { subject, ...letter }: Letter & { subject: string },
): Mail {
  return { kind, to, subject, text: writeText(letter), html: writeHtml(letter, { subject, ...words }) };
}
