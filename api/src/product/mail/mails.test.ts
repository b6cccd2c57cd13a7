import { expect, test } from 'vitest';
import {
  buildClaimLink,
  buildDeviceAdded,
  buildReceipt,
  buildRedeemed,
  buildReminder,
  buildResetDone,
  buildResetLink,
} from './mails.ts';

const AT = Date.UTC(2026, 10, 22, 7, 30);
const BASICS = { to: 'ada@example.com', baseUrl: 'https://site.example' };
const LINK = `https://site.example/reset-devices#t=${'a'.repeat(43)}`;
const EVIL = '<script>alert(1)</script>"&\r\nBcc: all@example.com';

test('a receipt says what was paid, until when, its order, and how to get the money back', () => {
  const { subject, text } = buildReceipt({ ...BASICS, planId: 'plus', amountCents: 299, until: AT, orderRef: 'ORDER' });

  expect(subject).toBe('Your Plus plan is active');
  for (const part of ['22 November 2026 at 07:30 UTC', '2,99 €', 'ORDER', 'money back', 'https://site.example/plans'])
    expect(text).toContain(part);
});

test('a mail with a link says it alone on a line, as text and as an anchor', () => {
  const { text, html } = buildResetLink({ to: 'ada@example.com', link: LINK, expiresAt: AT, nextAt: AT });

  expect(text.split('\n')).toContain(LINK);
  expect(html).toContain(`<a href="${LINK}">${LINK}</a>`);
  expect(text).toContain('The next reset is possible from 22 November 2026 at 07:30 UTC.');
});

test('what people have typed is escaped in HTML and never in a subject', () => {
  const mails = [
    buildRedeemed({ ...BASICS, planId: 'basic', until: AT, reseller: EVIL }),
    buildClaimLink({ to: 'ada@example.com', link: LINK, device: EVIL, expiresAt: AT }),
    buildDeviceAdded({ to: 'ada@example.com', device: EVIL, until: AT }),
  ];

  for (const { subject, html } of mails) {
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;');
    expect(subject).not.toContain('script');
  }
});

test('no mail loads anything from anywhere', () => {
  const mails = [
    buildResetDone({ ...BASICS, nextAt: AT }),
    buildReminder({ ...BASICS, until: AT }),
    buildReceipt({ ...BASICS, planId: 'premium', amountCents: 1499, until: AT, orderRef: 'ORDER' }),
  ];

  for (const { html } of mails) expect(html).not.toMatch(/src=|url\(|<link|<img/);
});
