import { buildResetDone } from '#api/product/mail/mails.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { endOutlastingKeys } from './end-outlasting-keys.ts';
import { findOwned } from './find-owned.ts';
import type { Licences } from './licences.ts';
import { hashLinkToken } from './link-token.ts';
import { nextReset, RESET_WINDOW_MS } from './next-reset.ts';
import { transact } from './transact.ts';

/**
 * Resets the devices of an address: unbinds those of all its active licences and revokes the keys of these plans.
 * @throws AppError `RST_TOKEN` when the link was used, has ended or is unknown; `RST_LIMIT` when the devices were reset
 *   a short time ago, and then the link still works
 */
export async function confirmReset(
  { db, emails, mailQueue, limits, baseUrl, now }: Omit<Licences, 'linkDevices' | 'pseudonyms'>,
  token: string,
): Promise<void> {
  await transact(db, async (tx) => {
    const at = now();
    const request = await tx.resetRequests.findOpen('reset', hashLinkToken(token), at);
    if (!request) throw new AppError('RST_TOKEN');

    // Locked in the order of their ids, so that no two transactions wait for each other.
    const all = await tx.licences.listByEmail(request.emailHmac);
    for (const id of all.map((licence) => licence.id).sort()) await tx.licences.lock(id);
    const owned = await findOwned(tx.licences, request.emailHmac, at);
    if (!owned) throw new AppError('RST_TOKEN');

    const done = await tx.resetRequests.listResets(owned.licenceIds, at - RESET_WINDOW_MS);
    // Before the limit: a second confirmation that waited for the first one has to learn that the link was used.
    if (!(await tx.resetRequests.use(request.id, at))) throw new AppError('RST_TOKEN');
    const until = nextReset(done, limits, at);
    if (until !== null) throw new AppError('RST_LIMIT', undefined, { until });

    await tx.resetRequests.endOpen(owned.licenceIds, null, at);
    for (const { id: licence } of owned.active) {
      const hwidHmacs = await tx.licences.listHwids(licence);
      const unbound = await tx.licences.unbindAll(licence, at);
      await endOutlastingKeys(tx, hwidHmacs, 'devices reset', at);
      tx.record({ at, kind: 'licence', code: 'reset', subject: null, detail: { licence, devices: unbound.length } });
    }
    const nextAt = nextReset([...done, at], limits, at) ?? at;
    const to = emails.ownerOf(owned.active[0]);
    await mailQueue.add(tx, buildResetDone({ to, baseUrl: baseUrl(), nextAt }), at);
  });
  mailQueue.wake();
}
