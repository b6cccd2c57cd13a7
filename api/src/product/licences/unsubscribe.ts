import { transact } from '#api/foundation/audit/transact.ts';
import type { EmailCipher } from './email-cipher.ts';
import type { Licences } from './licences.ts';
import { createLicencesRepository } from './licences.repository.ts';

/**
 * The address that ends the reminders of a licence's owner. The token stands in the query and not after the `#`, because
 * mail programs send their POST to the whole address (RFC 8058).
 */
export function unsubscribeLink(
  baseUrl: string,
  emails: Pick<EmailCipher, 'signUnsubscribe'>,
  licenceId: string,
): string {
  return `${baseUrl}/api/unsubscribe?t=${emails.signUnsubscribe(licenceId)}`;
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
