import { transact } from '#api/foundation/audit/transact.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { buildReminder } from '#api/product/mail/mails.ts';
import { activePlan } from './licence-periods.ts';
import { readerOf, type Licences } from './licences.ts';
import { createLicencesRepository } from './licences.repository.ts';
import { unsubscribeLink } from './unsubscribe.ts';

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
        const plan = activePlan(await tx.licences.listPeriods(licence.id), at);
        if (!plan || !(await tx.licences.noteReminder(licence.id, until))) return false;

        const mail = buildReminder({
          reader: await readerOf(tx.licences, emails, licence),
          baseUrl: baseUrl(),
          planId: plan.id,
          until,
          unsubscribe: unsubscribeLink(baseUrl(), emails, licence.id),
        });
        await mailQueue.add(tx, mail, at);
        return true;
      },
    );
    if (isQueued) queued++;
  }
  if (queued > 0) mailQueue.wake();
  return queued;
}
