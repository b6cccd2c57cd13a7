import { formatTexts } from '#api/foundation/http/format-texts.ts';
import { COMMUNITY_LINKS } from '@app/contracts/brand';
import type { PlanId } from '@app/contracts/active-plan';
import { PAGES } from '@app/contracts/pages';
import { formatPrice, PLANS } from '@app/contracts/plans';
import vi from '../../../../translations/vi/api/mails.json' with { type: 'json' };
import en from './mails.en.json' with { type: 'json' };
import { formatDay, formatMoment, withoutBreaks } from './format-date.ts';
import { writeHtml, writeText } from './template.ts';

export type MailKind =
  'receipt' | 'redeemed' | 'reset-link' | 'reset-done' | 'claim-link' | 'device-added' | 'reminder';

/** A mail, complete but for its sender. */
export interface Mail {
  kind: MailKind;
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

export interface Reader {
  to: string;
  /** The country that the owner has paid in, as two letters; null when it is unknown. */
  country: string | null;
}

/** What every mail needs. Times are epoch milliseconds. */
interface MailContext {
  reader: Reader;
  baseUrl: string;
}

const SUPPORT = COMMUNITY_LINKS[0].href;

/** After a payment. The button leads to the page of the order, where its buyer can ask for a reminder. */
export function buildReceipt({
  reader,
  baseUrl,
  planId,
  amountCents,
  until,
  orderRef: ref,
}: MailContext & { planId: PlanId; amountCents: number; until: number; orderRef: string }): Mail {
  const href = `${baseUrl}/success-${planId}?ref=${encodeURIComponent(ref)}`;
  return compose('receipt', reader, { plan: nameOf(planId), until, price: formatPrice(amountCents), ref }, { href });
}

/** After a reseller's code was redeemed. */
export function buildRedeemed({
  reader,
  baseUrl,
  planId,
  until,
  reseller,
}: MailContext & { planId: PlanId; until: number; reseller: string }): Mail {
  return compose('redeemed', reader, { plan: nameOf(planId), until, reseller }, { href: baseUrl + PAGES.plans });
}

/** The link that resets devices. `nextAt`: when a reset is allowed next; null when it is allowed now. */
export function buildResetLink({
  reader,
  link: href,
  expiresAt,
  nextAt,
}: {
  reader: Reader;
  link: string;
  expiresAt: number;
  nextAt: number | null;
}): Mail {
  const values = { until: expiresAt, nextAt: nextAt ?? 0 };
  const isAllowedNow = nextAt === null;
  return { ...compose('reset-link', reader, values, { href, isAllowedNow }), expiresAt };
}

/** After a reset. `nextAt`: when the next one is allowed. */
export function buildResetDone({ reader, baseUrl, nextAt }: MailContext & { nextAt: number }): Mail {
  return compose('reset-done', reader, { nextAt }, { href: baseUrl + PAGES.plans });
}

/** The link that adds a device to a plan. `device`: the device id, shortened. */
export function buildClaimLink({
  reader,
  link: href,
  device,
  expiresAt,
}: {
  reader: Reader;
  link: string;
  device: string;
  expiresAt: number;
}): Mail {
  return { ...compose('claim-link', reader, { device, until: expiresAt }, { href }), expiresAt };
}

/** After a device was added to a plan. `device`: the device id, shortened. */
export function buildDeviceAdded({ reader, device, until }: { reader: Reader; device: string; until: number }): Mail {
  return compose('device-added', reader, { device, until });
}

/** Before a plan ends. `unsubscribe`: the address that ends these mails. */
export function buildReminder({
  reader,
  baseUrl,
  planId,
  until,
  unsubscribe,
}: MailContext & { planId: PlanId; until: number; unsubscribe: string }): Mail {
  const day = withoutBreaks(formatDay(until, reader.country, wordsFor(reader).locale, { weekday: 'long' }));
  const links = { href: baseUrl + PAGES.plans, linkTo: unsubscribe };
  return { ...compose('reminder', reader, { plan: nameOf(planId), until, day }, links), unsubscribe };
}

function wordsFor({ country }: Reader): typeof en {
  return country === 'VN' ? vi : en;
}

function nameOf(planId: PlanId): string {
  return PLANS.find(({ id }) => id === planId)?.name ?? planId;
}

/** The texts of a kind of mail. Words in brackets are a link. */
interface Texts {
  subject: string;
  preheader: string;
  heading: string;
  lead: string;
  facts: string[][];
  button?: string;
  notes: string[];
  last?: string;
}

interface Choices {
  /** Where the button leads. */
  href?: string;
  /** Where words in brackets lead. */
  linkTo?: string;
  /** Of a reset: leaves out that the next one has to wait. */
  isAllowedNow?: boolean;
}

/** @param values of the texts; numbers are moments */
function compose(
  kind: MailKind,
  reader: Reader,
  values: Readonly<Record<string, string | number>>,
  { href, linkTo = SUPPORT, isAllowedNow = false }: Choices = {},
): Mail {
  const words = wordsFor(reader);
  const texts: Texts = words[kind];
  const said = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? formatMoment(value, reader.country, words) : value,
    ]),
  );
  const fill = <Text>(text: Text) => formatTexts(text, said, words.lang);
  // No value stands in a paragraph with a link: people may have typed it, with brackets.
  const write = (text: string) => (text.includes('[') ? { text, href: linkTo } : fill(text));

  const content = {
    ...fill({ preheader: texts.preheader, heading: texts.heading, lead: texts.lead }),
    facts: fill(isAllowedNow ? texts.facts.slice(0, 1) : texts.facts),
    notes: (isAllowedNow ? texts.notes.slice(1) : texts.notes).map(write),
    ...(texts.last !== undefined && { last: write(texts.last) }),
    ...(href !== undefined && { button: { label: texts.button ?? '', href, isSecret: kind.endsWith('-link') } }),
    showsKey: kind === 'receipt' || kind === 'redeemed',
  };
  const subject = fill(texts.subject);
  return { kind, to: reader.to, subject, text: writeText(content), html: writeHtml(content, { subject, ...words }) };
}
