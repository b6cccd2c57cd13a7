import { formatTexts } from '#api/foundation/http/format-texts.ts';
import { COMMUNITY_LINKS } from '@app/contracts/brand';
import type { PlanId } from '@app/contracts/active-plan';
import { PAGES } from '@app/contracts/pages';
import { formatPrice, PLANS } from '@app/contracts/plans';
import { type Letter, writeText } from './letter.ts';
import { writeHtml } from './letter-html.ts';
import vi from '../../../../translations/vi/api/mails.json' with { type: 'json' };
import en from './mails.en.json' with { type: 'json' };
import { sayDay, sayWhen, unbroken } from './say-when.ts';

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
  const { words, when, fill } = speakTo(reader);
  const { button, ends, refund, ...texts } = fill(words.receipt, {
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
    last: fill(words.order, { ref: orderRef }),
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
  const { words, when, fill } = speakTo(reader);
  const { button, questions, ...texts } = fill(words.redeemed, { plan: nameOf(planId), until: when(until), reseller });

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
  const { words, when, fill } = speakTo(reader);
  const { button, early, ignore, ...texts } = fill(words.resetLink, {
    until: when(expiresAt),
    nextAt: nextAt === null ? '' : when(nextAt),
  });

  return {
    ...compose('reset-link', reader, words, {
      ...texts,
      facts: nextAt === null ? texts.facts.slice(0, 1) : texts.facts,
      button: { label: button, href: link, isSecret: true },
      notes: nextAt === null ? [ignore] : [early, ignore],
    }),
    expiresAt,
  };
}

/** After a reset. `nextAt`: when the next one is allowed. */
export function buildResetDone({ reader, baseUrl, nextAt }: Basics & { nextAt: number }): Mail {
  const { words, when, fill } = speakTo(reader);
  const { button, ...texts } = fill(words.resetDone, { nextAt: when(nextAt) });

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
  const { words, when, fill } = speakTo(reader);
  const { button, ignore, ...texts } = fill(words.claimLink, { device, until: when(expiresAt) });

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
  const { words, when, fill } = speakTo(reader);

  return compose('device-added', reader, words, {
    ...fill(words.deviceAdded, { device, until: when(until) }),
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
  const { words, when, fill } = speakTo(reader);
  const { button, why, ...texts } = fill(words.reminder, {
    plan: nameOf(planId),
    until: when(until),
    day: unbroken(sayDay(until, reader.country, words.locale, { weekday: 'long' })),
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
function speakTo({ country }: Reader) {
  const words = country === 'VN' ? vi : en;
  return {
    words,
    when: (at: number) => sayWhen(at, country, words),
    fill: <Texts>(texts: Texts, values: Readonly<Record<string, string>>) => formatTexts(texts, values, words.lang),
  };
}

function nameOf(planId: PlanId): string {
  return PLANS.find(({ id }) => id === planId)?.name ?? planId;
}

function compose(
  kind: MailKind,
  { to }: Reader,
  words: Pick<typeof en, 'lang' | 'rawLink'>,
  { subject, ...letter }: Letter & { subject: string },
): Mail {
  return { kind, to, subject, text: writeText(letter), html: writeHtml(letter, { subject, ...words }) };
}
