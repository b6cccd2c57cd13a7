import { deriveSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';
import type { LicenceRow } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';

export type EmailCipher = ReturnType<typeof createEmailCipher>;

/** Encrypts the e-mail addresses that are stored, and makes the HMAC by which their rows are found. */
export function createEmailCipher(pepper: string, pseudonyms: Pick<Pseudonyms, 'email' | 'emailInLowerCase'>) {
  const secret = deriveSecret(pepper, 'email address');

  return {
    hmac: (email: string) => pseudonyms.email(email),
    /** What the row of a licence has of its owner's address. */
    stored: (licenceId: string, email: string) => ({
      emailHmac: pseudonyms.emailInLowerCase(email),
      mailboxHmac: pseudonyms.email(email),
      emailEnc: sealText(secret, licenceId, email),
    }),
    open: (ownerId: string, sealed: string) => openText(secret, ownerId, sealed),

    /**
     * The address of a licence's owner. Mails go there, and never to an address that a visitor typed: other texts may
     * have the same canonical spelling, and so the same HMAC.
     */
    ownerOf({ id, emailEnc }: Pick<LicenceRow, 'id' | 'emailEnc'>): string {
      if (emailEnc === null) throw new Error('The licence has no address.');
      return openText(secret, id, emailEnc);
    },
  };
}
