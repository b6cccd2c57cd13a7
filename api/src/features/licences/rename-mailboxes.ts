import type { Db } from '#api/db/schema.ts';
import type { EmailCipher } from './email-cipher.ts';
import { createLicencesRepository } from './licences.repository.ts';

/** So few that a server which starts holds no lock for long. */
const BATCH = 500;

/**
 * Stores the licences of earlier releases under the one spelling of their address. Whether two servers do it at once, or
 * it ends half-way, makes no difference.
 */
export async function renameMailboxes(db: Db, emails: EmailCipher): Promise<void> {
  const licences = createLicencesRepository(db);
  for (;;) {
    const left = await licences.listAsTyped(BATCH);
    if (left.length === 0) return;

    await db.transaction().execute(async (tx) => {
      const within = createLicencesRepository(tx);
      for (const licence of left)
        await within.setEmailHmac(licence.id, licence.emailEnc && emails.hmac(emails.ownerOf(licence)));
    });
  }
}
