import type { PlanId } from '@app/contracts/active-plan';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { issueCodes } from '#api/product/codes/issue-codes.ts';
import { redeemCode } from '#api/product/codes/redeem-code.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';
import { changeResellers } from '#api/product/resellers/change-resellers.ts';
import type { ListedReseller } from '#api/product/resellers/listed-reseller.ts';
import type { Stage } from './stage.ts';

/** The page does not show it. */
const SELLER: ListedReseller = {
  id: 'seeded-shop',
  name: 'Seeded Shop',
  logo: 'letter',
  description: 'Sells the codes of seeded devices.',
  discord: 'https://chat.seeded-shop.example/',
  buyLink: 'https://seeded-shop.example/',
  isArceusX: false,
  trusted: null,
  isHidden: true,
};

/** Redeems a code of a hidden reseller for the device of a stage. */
export async function redeemNewCode({ db, pepper, baseUrl, visitor }: Stage, planId: PlanId, act: Act): Promise<void> {
  const pseudonyms = createPseudonyms(pepper);
  await changeResellers({ db }, (list) => [...list.filter(({ id }) => id !== SELLER.id), SELLER], act);
  const issued = await issueCodes({ db, pseudonyms }, { resellerId: SELLER.id, planId, count: 1 }, act);

  const emails = createEmailCipher(pepper, pseudonyms);
  const redeeming = { db, pseudonyms, emails, mailQueue: createMailQueue(pepper), baseUrl: () => baseUrl };
  const [code = ''] = issued?.codes ?? [];
  await redeemCode(redeeming, { code, email: 'buyer@example.com', hwid: visitor.hwid, at: act.at });
}
