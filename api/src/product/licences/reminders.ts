import { transact } from '#api/foundation/audit/transact.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { buildReminder } from '#api/product/mail/mails.ts';
import { activePlan } from './licence-periods.ts';
import { mailReaderOf, type Licences } from './licences.ts';
import { createLicencesRepository } from './licences.repository.ts';

/** How long before the end of a plan its owner is reminded, in milliseconds. */
const REMINDER_MS = 3 * 24 * 60 * 60 * 1000;

/** Queues a mail for each plan that ends soon and whose owner wants to know, once for each end; at most `limit`. */
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
          reader: await mailReaderOf(tx.licences, emails, licence),
          baseUrl: baseUrl(),
          planId: plan.id,
          until,
          // The token stands in the query: mail programs send their POST to the whole address (RFC 8058).
          unsubscribe: `${baseUrl()}/api/unsubscribe?t=${emails.signUnsubscribe(licence.id)}`,
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

/**
 * Ends the reminders of every licence of a mailbox. Repeating it changes nothing; a later purchase can ask for them again.
 * @param licenceId the licence that a link names; nothing is done when it is there no more
 */
export async function unsubscribe({ db, now }: Pick<Licences, 'db' | 'now'>, licenceId: string): Promise<void> {
  await transact(db, { licences: createLicencesRepository }, async (tx) => {
    const named = await tx.licences.find(licenceId);
    const all = named?.emailHmac ? await tx.licences.listByEmail(named.emailHmac) : [];
    // In the order of their ids, so that no two transactions wait for each other.
    const reminded = all.filter(({ wantsReminder }) => wantsReminder === 1).map(({ id }) => id);
    for (const licence of reminded.sort()) {
      await tx.licences.setReminder(licence, false);
      tx.record({ at: now(), kind: 'licence', code: 'unsubscribed', subject: null, detail: { licence } });
    }
  });
}
