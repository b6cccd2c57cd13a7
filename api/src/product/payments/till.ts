import type { Logger } from 'pino';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { EmailCipher } from '#api/product/licences/email-cipher.ts';
import type { MailQueue } from '#api/product/mail/mail-queue.ts';
import type { OrderCipher } from './order-cipher.ts';
import type { PaymentProvider } from './payment-provider.ts';

/** What every use case of payments needs. */
export interface Till {
  db: Db;
  /** Undefined where the site takes no payments. */
  provider: PaymentProvider | undefined;
  pseudonyms: Pseudonyms;
  emails: EmailCipher;
  mailQueue: MailQueue;
  orderCipher: OrderCipher;
  baseUrl: () => string;
  log: Pick<Logger, 'error' | 'warn'>;
  now: () => number;
}
