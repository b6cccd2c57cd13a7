import { PAGES } from '@app/contracts/pages';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { rollBack } from '#api/foundation/audit/transact.ts';
import { buildClaimLink } from '#api/product/mail/mails.ts';
import { findOwned } from './find-owned.ts';
import type { Licences } from './licences.ts';
import { shortenHwid } from './link-device-cipher.ts';
import { LINK_LIFETIME_MS, linkTo, makeLinkToken } from './link-token.ts';
import { createRepositories, transact } from './transact.ts';

/**
 * How many links of a mailbox work at the same time, each for another device: so that nobody floods it. Each network
 * can ask for three in a day, and a link works for half an hour.
 */
const MOST_CLAIM_LINKS = 30;

/**
 * Queues a mail with the link that adds a device to the newest active licence of an address. An older link for
 * the same device ends; those for other devices stay, since anybody can ask for them. Does nothing when the address has no active licence.
 */
export async function requestClaim(
  { db, emails, linkDevices, pseudonyms, mailQueue, baseUrl, now }: Omit<Licences, 'limits'>,
  { email, hwid }: { email: string; hwid: string },
): Promise<void> {
  const emailHmac = emails.hmac(email);
  // Strangers, who may be many, cost no transaction.
  if (!(await findOwned(createRepositories(db).licences, emailHmac, now()))) return;

  const isQueued = await transact<boolean>(db, async (tx) => {
    const at = now();
    const owned = await findOwned(tx.licences, emailHmac, at);
    if (!owned) return false;

    const [licence] = owned.active;
    const to = emails.ownerOf(licence);
    // The device is locked before the licence, as in every transaction.
    const { id: deviceId } = await tx.devices.ensure('main', pseudonyms.hwid(hwid), at);
    await tx.licences.lock(licence.id);
    await tx.resetRequests.endOpen(owned.licenceIds, deviceId, at);
    if ((await tx.resetRequests.countOpen('claim', owned.licenceIds, at)) >= MOST_CLAIM_LINKS) return rollBack(false);

    const id = randomId();
    const { token, tokenHash } = makeLinkToken();
    const expiresAt = at + LINK_LIFETIME_MS;
    await tx.resetRequests.insert({
      id,
      purpose: 'claim',
      licenceId: licence.id,
      emailHmac,
      tokenHash,
      createdAt: at,
      expiresAt,
      deviceId,
      sealedDevice: linkDevices.seal(id, hwid),
    });
    const link = linkTo(baseUrl(), PAGES.claimPlan, token);
    await mailQueue.add(tx, buildClaimLink({ to, link, device: shortenHwid(hwid), expiresAt }), at);
    return true;
  });
  if (isQueued) mailQueue.wake();
}
