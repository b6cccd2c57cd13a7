import type { Db } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { MailQueue } from '#api/product/mail/mail-queue.ts';
import type { EmailCipher } from './email-cipher.ts';
import type { LinkDeviceCipher } from './link-device-cipher.ts';
import type { ResetLimits } from './next-reset.ts';

/** What the use cases of licences work with. */
export interface Licences {
  db: Db;
  emails: EmailCipher;
  /** Encrypts the device of a link that adds one. */
  linkDevices: LinkDeviceCipher;
  pseudonyms: Pick<Pseudonyms, 'hwid'>;
  mailQueue: MailQueue;
  limits: ResetLimits & {
    /** How many devices a licence can have. */
    devicesPerLicence: number;
  };
  /** The site's own origin. Links in mails begin with it, whatever host a request named. */
  baseUrl: () => string;
  now: () => number;
}
