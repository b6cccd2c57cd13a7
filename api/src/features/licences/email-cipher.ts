import { deriveSecret } from '#api/crypto/derive-secret.ts';
import { openText, sealText } from '#api/crypto/sealed-text.ts';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';

export type EmailCipher = ReturnType<typeof createEmailCipher>;

/** Encrypts the e-mail addresses that are stored, and makes the HMAC by which their rows are found. */
export function createEmailCipher(pepper: string, pseudonyms: Pick<Pseudonyms, 'email'>) {
  const secret = deriveSecret(pepper, 'email address');

  return {
    hmac: (email: string) => pseudonyms.email(email),
    seal: (ownerId: string, email: string) => sealText(secret, ownerId, email),
    open: (ownerId: string, sealed: string) => openText(secret, ownerId, sealed),
  };
}
