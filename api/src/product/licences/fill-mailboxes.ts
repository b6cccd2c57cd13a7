import type { Licences } from './licences.ts';
import { createLicencesRepository } from './licences.repository.ts';

/**
 * Notes the mailbox of licences that servers of the previous release have stored. Until then they are found by their
 * address in lower case, which is the same for most. A licence whose address cannot be decrypted keeps the lower case.
 * @returns how many there were, at most `limit`
 */
export async function fillMailboxes({ db, emails }: Pick<Licences, 'db' | 'emails'>, limit: number): Promise<number> {
  const licences = createLicencesRepository(db);
  const left = await licences.listWithoutMailbox(limit);
  for (const licence of left) await licences.setMailbox(licence.id, mailboxOf(licence) ?? licence.emailHmac);
  return left.length;

  function mailboxOf(licence: (typeof left)[number]): string | undefined {
    try {
      return emails.hmac(emails.ownerOf(licence));
    } catch {
      return undefined;
    }
  }
}
