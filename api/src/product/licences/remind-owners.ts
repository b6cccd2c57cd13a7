import { transact } from '#api/foundation/audit/transact.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { buildReminder } from '#api/product/mail/mails.ts';
import type { Licences } from './licences.ts';
import { createLicencesRepository } from './licences.repository.ts';

/** How long before the end of a plan its owner is reminded, in milliseconds. */
const REMINDER_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Queues a mail for each plan that ends soon and whose owner wants to know, once for each end.
 * @returns the number of mails, at most `limit`
 */
export async function remindOwners(
  { db, emails, mailQueue, baseUrl, now }: Pick<Licences, 'db' | 'emails' | 'mailQueue' | 'baseUrl' | 'now'>,
  limit: number,
): Promise<number> {
  const at = now();
  const due = await createLicencesRepository(db).listEnding({ after: at, before: at + REMINDER_MS }, limit);

  let queued = 0;
  for (const { until, ...licence } of due) {
    const isQueued = await transact(
      db,
      { licences: createLicencesRepository, mails: createMailsRepository },
      async (tx) => {
        if (!(await tx.licences.noteReminder(licence.id, until))) return false;

        await mailQueue.add(tx, buildReminder({ to: emails.ownerOf(licence), baseUrl: baseUrl(), until }), at);
        return true;
      },
    );
    if (isQueued) queued++;
  }
  if (queued > 0) mailQueue.wake();
  return queued;
}
