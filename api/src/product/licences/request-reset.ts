import { PAGES } from '@app/contracts/pages';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { buildResetLink } from '#api/product/mail/mails.ts';
import { findOwned } from './find-owned.ts';
import type { Licences } from './licences.ts';
import { LINK_LIFETIME_MS, linkTo, makeLinkToken } from './link-token.ts';
import { nextReset, RESET_WINDOW_MS } from './next-reset.ts';
import { createRepositories, transact } from './transact.ts';

/**
 * How many links of a mailbox work at the same time. Each of them serves its owner as well as the next would, so that
 * nobody is kept out, and nobody is flooded.
 */
const MOST_RESET_LINKS = 3;

/**
 * Queues a mail with the link that resets the devices of an address. Older links still work: anybody can ask for the next
 * one. Where the mailbox has several that work, it gets no more.
 * @returns `unknown` when the address has no active licence; `refused` when its mail server does not take the mail
 */
export async function requestReset(
  { db, emails, mailQueue, limits, baseUrl, now }: Omit<Licences, 'linkDevices' | 'pseudonyms'>,
  email: string,
): Promise<'requested' | 'unknown' | 'refused'> {
  const emailHmac = emails.hmac(email);
  // Strangers, who may be many, cost no transaction.
  if (!(await findOwned(createRepositories(db).licences, emailHmac, now()))) return 'unknown';

  let mailId: string | undefined;
  const isKnown = await transact(db, async (tx) => {
    const at = now();
    const owned = await findOwned(tx.licences, emailHmac, at);
    if (!owned) return false;

    const [licence] = owned.active;
    const to = emails.ownerOf(licence);
    // One request after the other, so that each counts the links before it.
    await tx.licences.lock(licence.id);
    if ((await tx.resetRequests.countOpen('reset', owned.licenceIds, at)) >= MOST_RESET_LINKS) return true;

    const { token, tokenHash } = makeLinkToken();
    const expiresAt = at + LINK_LIFETIME_MS;
    await tx.resetRequests.insert({
      id: randomId(),
      licenceId: licence.id,
      emailHmac,
      tokenHash,
      createdAt: at,
      expiresAt,
    });
    const done = await tx.resetRequests.listResets(owned.licenceIds, at - RESET_WINDOW_MS);
    const link = linkTo(baseUrl(), PAGES.resetDevices, token);
    mailId = await mailQueue.add(tx, buildResetLink({ to, link, expiresAt, nextAt: nextReset(done, limits, at) }), at);
    return true;
  });
  if (!isKnown) return 'unknown';
  return mailId !== undefined && (await mailQueue.wakeAndFollow(mailId)) ? 'refused' : 'requested';
}
