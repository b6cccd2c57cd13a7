import type { ActivePlan } from '@app/contracts/active-plan';
import type { Db, LicenceRow, PeriodRow } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { MailQueue } from '#api/product/mail/mail-queue.ts';
import type { Reader } from '#api/product/mail/mails.ts';
import type { EmailCipher } from './email-cipher.ts';
import type { LinkDeviceCipher } from './links.ts';
import { activePlan } from './licence-periods.ts';
import type { LicencesRepository } from './licences.repository.ts';

export interface ResetLimits {
  /** The pause between two resets, in milliseconds. */
  resetPauseMs: number;
  /** How many resets are allowed in 30 days. */
  resetsIn30Days: number;
}

export interface Licences {
  db: Db;
  emails: EmailCipher;
  /** Encrypts the device of a link that adds one. */
  linkDevices: LinkDeviceCipher;
  pseudonyms: Pick<Pseudonyms, 'hwid'>;
  mailQueue: MailQueue;
  limits: ResetLimits & {
    devicesPerLicence: number;
  };
  /** The site's own origin. Links in mails begin with it, whatever host a request named. */
  baseUrl: () => string;
  now: () => number;
}

export interface OwnedLicence {
  /** Every licence of the address, also those that have ended. */
  licenceIds: string[];
  /** The licences with a period that has not ended, the newest first. */
  active: [LicenceRow, ...LicenceRow[]];
  /** The plan that they give together. */
  plan: ActivePlan;
}

/** Finds the licences of an email address; undefined when none has a period that has not ended. */
export async function findOwnedLicence(
  licences: LicencesRepository,
  emailHmac: string,
  at: number,
): Promise<OwnedLicence | undefined> {
  const all = await licences.listByEmail(emailHmac);
  const active: LicenceRow[] = [];
  const periods: PeriodRow[] = [];
  for (const licence of all) {
    const own = await licences.listPeriods(licence.id);
    if (activePlan(own, at) === null) continue;
    active.push(licence);
    periods.push(...own);
  }

  const [newest, ...others] = active;
  const plan = activePlan(periods, at);
  return newest && plan ? { licenceIds: all.map(({ id }) => id), active: [newest, ...others], plan } : undefined;
}

export async function mailReaderOf(
  licences: Pick<LicencesRepository, 'findCountry'>,
  emails: Pick<EmailCipher, 'ownerOf'>,
  licence: Pick<LicenceRow, 'id' | 'emailEnc'>,
): Promise<Reader> {
  return { to: emails.ownerOf(licence), country: await licences.findCountry(licence.id) };
}
