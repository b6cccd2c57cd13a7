import { PRODUCT } from '@app/contracts/brand';
import { escapeHtml } from '#api/foundation/http/html.ts';
import type { Mail, MailKind } from './mail.ts';

/** A paragraph: a text, or a link that stands alone. */
export type Paragraph = string | { link: string };

const SIGNATURE = `The ${PRODUCT.label} team`;

/** Writes a mail of some paragraphs, as text and as HTML. The HTML loads nothing from anywhere. */
export function composeMail(kind: MailKind, to: string, subject: string, paragraphs: readonly Paragraph[]): Mail {
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
