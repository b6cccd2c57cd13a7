import { createHmac } from 'node:crypto';
import { deriveSecret, isSameSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';
import type { LicenceRow } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';

export type EmailCipher = ReturnType<typeof createEmailCipher>;

/**
 * Encrypts the email addresses that are stored, makes the HMAC by which their rows are found, and signs the links that end
 * reminders.
 */
export function createEmailCipher(pepper: string, pseudonyms: Pick<Pseudonyms, 'email' | 'emailInLowerCase'>) {
  const secret = deriveSecret(pepper, 'email address');
  const unsubscribing = deriveSecret(pepper, 'unsubscribe');
  const sign = (licenceId: string) => createHmac('sha256', unsubscribing).update(licenceId).digest('base64url');

  return {
    hmac: (email: string) => pseudonyms.email(email),
    /** What the row of a licence has of its owner's address. */
    stored: (licenceId: string, email: string) => ({
      emailHmac: pseudonyms.emailInLowerCase(email),
      mailboxHmac: pseudonyms.email(email),
      emailEnc: sealText(secret, licenceId, email),
    }),
    open: (ownerId: string, sealed: string) => openText(secret, ownerId, sealed),

    /** Names a licence in the link that ends its reminders. Only this server can make such a token; it never ends. */
    signUnsubscribe: (licenceId: string) => `${licenceId}.${sign(licenceId)}`,
    /** @returns the licence that a token names; undefined when we have not made it */
    readUnsubscribe(token: string): string | undefined {
      const [licenceId = '', signature = '', ...more] = token.split('.');
      return more.length === 0 && isSameSecret(signature, sign(licenceId)) ? licenceId : undefined;
    },

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
