import { deriveSecret, openText, randomId, sealText } from '#api/foundation/crypto/secrets.ts';
import type { MailRow } from '#api/foundation/db/schema.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import type { Mail, MailKind } from './mails.ts';
import type { MailsRepository } from './mails.repository.ts';

/** How long a visitor waits for the first try of a mail. Mail servers usually take one within a second. */
const POLL_INTERVAL_MS = 2000;

export type MailQueue = ReturnType<typeof createMailQueue>;

/** The queue of mails in the database. Recipient, subject and text are stored encrypted. */
export function createMailQueue(pepper: string) {
  const secret = deriveSecret(pepper, 'mail in the queue');
  let wake: (() => void) | undefined;
  /** What waits for the first try of a mail, by the mail's id. */
  const waiting = new Map<string, (isRefused: boolean) => void>();

  return {
    /** Queues a mail, and returns its id. It leaves when the caller's transaction has been committed; see `wake`. */
    async add(tx: { mails: MailsRepository }, { kind, ...message }: Mail, at: number): Promise<string> {
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
      return id;
    },

    open({ id, kind, sealedMessage }: Pick<MailRow, 'id' | 'kind' | 'sealedMessage'>): Mail {
      if (sealedMessage === null) throw new Error('A mail that was sent or given up has no text any more.');
      const message = JSON.parse(openText(secret, id, sealedMessage)) as Omit<Mail, 'kind'>;
      return { kind: kind as MailKind, ...message };
    },

    /** Has the queue looked at now instead of within a minute. To be called after the commit. */
    wake: () => wake?.(),

    /**
     * Wakes the queue, and waits for the first try of a mail: a second or two, so that its visitor can be told.
     * @returns whether its recipient was refused for good; false when that is not known so soon
     */
    async sendAndWait(id: string): Promise<boolean> {
      if (!wake) return false;

      const tried = new Promise<boolean>((resolve) => waiting.set(id, resolve));
      wake();
      return withTimeout(POLL_INTERVAL_MS, tried, false).finally(() => waiting.delete(id));
    },

    /** Reports the first try of a mail to `sendAndWait`. */
    onAttempt: (id: string, isRefused: boolean) => waiting.get(id)?.(isRefused),

    onWake(listener: () => void): void {
      wake = listener;
    },
  };
}
