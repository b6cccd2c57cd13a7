import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  buildClaimLink,
  buildDeviceAdded,
  buildReceipt,
  buildRedeemed,
  buildReminder,
  buildResetDone,
  buildResetLink,
  type Reader,
} from '#api/product/mail/mails.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Writes one mail of each kind as an HTML file and as a text file, in each language. Their links lead nowhere.
 * @returns the folder
 */
export function writeSampleMails(folder: string, now: Date): string {
  const baseUrl = 'https://site.example';
  const until = now.getTime() + 30 * DAY_MS;
  const to = 'buyer@example.com';
  const device = 'a81f92cc…07e4';
  const secret = 'x'.repeat(43);
  const link = (page: string) => `${baseUrl}/${page}#t=${secret}`;
  const orderRef = '0190c2f3a4b5Qk7xv0B2mZ9tY4rLw8eNcA';

  const write = (ending: string, reader: Reader, elsewhere: Reader) => {
    const mails = [
      buildReceipt({ reader, baseUrl, planId: 'plus', amountCents: 299, until, orderRef }),
      buildRedeemed({ reader: elsewhere, baseUrl, planId: 'premium', until, reseller: 'Seeded Shop' }),
      buildResetLink({ reader, link: link('reset-devices'), expiresAt: until, nextAt: until + DAY_MS }),
      buildResetDone({ reader, baseUrl, nextAt: until }),
      buildClaimLink({ reader: elsewhere, link: link('claim-plan'), device, expiresAt: until }),
      buildDeviceAdded({ reader, device, until }),
      buildReminder({ reader, baseUrl, planId: 'basic', until, unsubscribe: `${baseUrl}/api/unsubscribe?t=x` }),
    ];
    for (const { kind, subject, html, text } of mails) {
      writeFileSync(join(folder, `${kind}${ending}.html`), html);
      writeFileSync(join(folder, `${kind}${ending}.txt`), `Subject: ${subject}\n\n${text}`);
    }
  };
  mkdirSync(folder, { recursive: true });
  write('', { to, country: 'DE' }, { to, country: null });
  write('-vi', { to, country: 'VN' }, { to, country: 'VN' });
  return resolve(folder);
}
