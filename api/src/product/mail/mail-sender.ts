import type { Logger } from 'pino';
import { nextTryAt } from '#api/foundation/db/outbox.ts';
import type { Db, MailRow } from '#api/foundation/db/schema.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import { mailsWaiting, mailTries } from '#api/foundation/telemetry/metrics.ts';
import type { MailQueue } from './mail-queue.ts';
import type { SendMail } from './mail-transport.ts';
import { createMailsRepository } from './mails.repository.ts';

/** How long one try may take. */
const SEND_TIMEOUT_MS = 60_000;

/** A claim older than this is from a server that has ended. */
const CLAIM_LEASE_MS = 10 * SEND_TIMEOUT_MS;

interface SenderDeps {
  db: Db;
  mailQueue: Pick<MailQueue, 'open' | 'onAttempt'>;
  send: SendMail;
  log: Logger;
  now: () => number;
}

/** Sends the mails of the queue. Several servers may do so at once; each mail is sent by one of them. */
export function createMailSender({ db, mailQueue, send, log, now }: SenderDeps) {
  const mails = createMailsRepository(db);

  async function sendOne(row: MailRow): Promise<void> {
    const { id, kind, tries } = row;
    const mail = mailQueue.open(row);
    const expiresAt = mail.expiresAt ?? Infinity;
    const failed = expiresAt <= now() ? LINK_EXPIRED : await findFailure(send(id, mail));
    mailQueue.onAttempt(id, failed?.isFinal ?? false);
    if (!failed) {
      mailTries.inc({ outcome: 'sent' });
      return mails.markSent(row, { state: 'sent', sealedMessage: null, sentAt: now(), error: null });
    }

    const { reason, isFinal } = failed;
    const nextAt = isFinal ? undefined : nextTryAt(row, now());
    if (nextAt !== undefined && nextAt < expiresAt) {
      mailTries.inc({ outcome: 'failed' });
      await mails.planRetry(row, nextAt, { error: reason });
      return log.warn({ mail: id, kind, tries, reason }, 'mail not sent');
    }
    mailTries.inc({ outcome: 'given_up' });
    await mails.giveUp(row, { sealedMessage: null, error: reason });
    log.error({ mail: id, kind, tries, reason }, 'mail given up');
  }

  async function sendAll(signal: AbortSignal): Promise<void> {
    await mails.releaseStaleClaims(now() - CLAIM_LEASE_MS);
    for (;;) {
      const [row] = signal.aborted ? [] : await mails.claim(now(), 1);
      if (!row) break;
      await sendOne(row);
    }
    if (!signal.aborted) mailsWaiting.set(await mails.countOpen());
  }

  return {
    /** Sends what is due, one mail after the other. Never throws. */
    async sendDue(signal: AbortSignal): Promise<void> {
      await sendAll(signal).catch((error: unknown) => log.error({ err: error }, 'queue of mails not read'));
    },
  };
}

/** Why a try failed, as codes alone: a mail server's sentence may repeat the address. */
interface Failure {
  reason: string;
  /** Another try would fail as well. */
  isFinal: boolean;
}

const LINK_EXPIRED: Failure = { reason: 'EXPIRED', isFinal: true };
const TIMED_OUT: Failure = { reason: 'ETIMEDOUT', isFinal: false };

/** Waits for one try; undefined when it did not fail. */
async function findFailure(sending: Promise<void>): Promise<Failure | undefined> {
  try {
    return (await withTimeout(SEND_TIMEOUT_MS, sending, TIMED_OUT)) ?? undefined;
  } catch (error) {
    const { code, responseCode, command, permanent } = error as Record<string, unknown>;
    const codes = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number');
    // Of what a mail server refuses for good (5xx), the recipient and the text are the mail's. The rest, such as our
    // password or the sender, is wrong in the settings, and an operator can mend it.
    const isOfMail = command === 'RCPT TO' || code === 'EMESSAGE';
    return { reason: codes.length > 0 ? codes.join(' ') : 'unknown', isFinal: permanent === true && isOfMail };
  }
}
