import { deriveSecret } from '#api/crypto/derive-secret.ts';
import { randomId } from '#api/crypto/random-id.ts';
import { openText, sealText } from '#api/crypto/sealed-text.ts';
import type { MailRow } from '#api/db/schema.ts';
import type { Mail, MailKind } from './mail.ts';
import type { MailsRepository } from './mails.repository.ts';

export type MailQueue = ReturnType<typeof createMailQueue>;

/** The queue of mails in the database. Recipient, subject and text are stored encrypted. */
export function createMailQueue(pepper: string) {
  const secret = deriveSecret(pepper, 'mail in the queue');
  let onWake: () => void = () => undefined;

  return {
    /** Queues a mail. It leaves when the caller's transaction has been committed; see `wake`. */
    async add(tx: { mails: MailsRepository }, { kind, ...message }: Mail, at: number): Promise<void> {
      const id = randomId(at);
      await tx.mails.insert({
        id,
        kind,
        sealedMessage: sealText(secret, id, JSON.stringify(message)),
        state: 'queued',
        createdAt: at,
        nextTryAt: at,
        claimedAt: null,
        sentAt: null,
        error: null,
      });
    },

    /** Decrypts a mail that waits in the queue. */
    open({ id, kind, sealedMessage }: Pick<MailRow, 'id' | 'kind' | 'sealedMessage'>): Mail {
      if (sealedMessage === null) throw new Error('A mail that was sent or given up has no text any more.');
      const message = JSON.parse(openText(secret, id, sealedMessage)) as Omit<Mail, 'kind'>;
      return { kind: kind as MailKind, ...message };
    },

    /** Has the queue looked at now instead of within a minute. To be called after the commit. */
    wake: () => onWake(),

    /** Sets what `wake` calls. */
    whenWoken(listener: () => void): void {
      onWake = listener;
    },
  };
}
