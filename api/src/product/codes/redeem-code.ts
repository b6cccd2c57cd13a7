import type { ActivePlan } from '@app/contracts/active-plan';
import type { CodeRow, Db } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { EmailCipher } from '#api/product/licences/email-cipher.ts';
import { activePlan, grantPeriod } from '#api/product/licences/licence-periods.ts';
import { createLicencesRepository, type LicencesRepository } from '#api/product/licences/licences.repository.ts';
import type { MailQueue } from '#api/product/mail/mail-queue.ts';
import { buildRedeemed } from '#api/product/mail/mails.ts';
import { readCode } from './codes.ts';
import { createCodesRepository } from './codes.repository.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { createResellersRepository } from '#api/product/resellers/resellers.repository.ts';

export interface RedeemDeps {
  db: Db;
  pseudonyms: Pick<Pseudonyms, 'code' | 'hwid'>;
  emails: EmailCipher;
  mailQueue: Pick<MailQueue, 'add' | 'wake'>;
  /** The site's own origin, for the mail. */
  baseUrl: () => string;
}

interface Redemption {
  code: string;
  email: string;
  hwid: string;
  at: number;
}

export type RedeemResult =
  { kind: 'redeemed'; plan: ActivePlan } | { kind: 'refused'; code: 'RDM_CODE' | 'RDM_USED' | 'RDM_REVOKED' };

const REPOSITORIES = {
  codes: createCodesRepository,
  devices: createDevicesRepository,
  licences: createLicencesRepository,
  mails: createMailsRepository,
  resellers: createResellersRepository,
};

/**
 * Redeems a reseller's code: a period of its plan for a device and an email address. The database decides who gets the
 * code; a buyer who has it already and asks again, because the answer was lost, gets the same answer.
 * @returns the plan that the device has now
 * @throws DatabaseUnavailable when the commit could not be confirmed
 */
export async function redeemCode(
  { db, pseudonyms, emails, mailQueue, baseUrl }: RedeemDeps,
  { code: typed, email, hwid, at }: Redemption,
): Promise<RedeemResult> {
  const text = readCode(typed);
  if (text === undefined) return { kind: 'refused', code: 'RDM_CODE' };

  const codeHash = pseudonyms.code(text);
  // A code that was never issued costs no transaction: there may be many such requests.
  if (!(await createCodesRepository(db).find(codeHash))) return { kind: 'refused', code: 'RDM_CODE' };

  const hwidHmac = pseudonyms.hwid(hwid);
  const result = await transact(db, REPOSITORIES, async (tx): Promise<RedeemResult> => {
    const code = await tx.codes.claim(codeHash, at);
    if (!code) {
      const known = await tx.codes.find(codeHash);
      const plan =
        known && (await findOwnRedemption(tx.licences, known, { emailHmac: emails.hmac(email), hwidHmac, at }));
      return plan ? { kind: 'redeemed', plan } : { kind: 'refused', code: findRejection(known) };
    }

    const paidWith = { orderId: null, codeId: code.id };
    const { plan, licenceId } = await grantPeriod(tx, emails, { email, hwidHmac, planId: code.planId, paidWith, at });

    const seller = await tx.resellers.find(code.resellerId);
    const { id: planId, until } = plan;
    const mail = buildRedeemed({
      reader: { to: email, country: await tx.licences.findCountry(licenceId) },
      baseUrl: baseUrl(),
      planId,
      until,
      reseller: seller?.name ?? code.resellerId,
    });
    await mailQueue.add(tx, mail, at);
    return { kind: 'redeemed', plan };
  });
  if (result.kind === 'redeemed') mailQueue.wake();
  return result;
}

/** The plan of a device that has this code's period now, by a licence of this address; undefined for all others. */
async function findOwnRedemption(
  licences: LicencesRepository,
  { id }: CodeRow,
  { emailHmac, hwidHmac, at }: { emailHmac: string; hwidHmac: string; at: number },
): Promise<ActivePlan | undefined> {
  const periods = await licences.listPeriodsOfDevice(hwidHmac, at);
  const period = periods.find(({ codeId }) => codeId === id);
  const licence = period && (await licences.find(period.licenceId));
  if (licence?.emailHmac !== emailHmac) return undefined;

  return activePlan(periods, at) ?? undefined;
}

function findRejection(code: CodeRow | undefined): 'RDM_CODE' | 'RDM_USED' | 'RDM_REVOKED' {
  if (!code) return 'RDM_CODE';
  return code.revokedAt === null ? 'RDM_USED' : 'RDM_REVOKED';
}
