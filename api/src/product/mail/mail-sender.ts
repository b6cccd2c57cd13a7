import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db, MailRow } from '#api/foundation/db/schema.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import { mailsWaiting, mailTries } from '#api/foundation/telemetry/metrics.ts';
import type { MailQueue } from './mail-queue.ts';
import type { SendMail } from './mail-transport.ts';
import { createMailsRepository } from './mails.repository.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a mail waits after each try that failed. After one more it is given up. */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS];

/** How long one try may take. */
const TRY_MS = MINUTE_MS;

/** A claim older than this is from a server that has ended. */
const CLAIM_MS = 10 * MINUTE_MS;

/** How long a server that stops waits for the mail that it is sending. */
const STOP_MS = 3000;

interface SenderDeps {
  db: Db;
  mailQueue: Pick<MailQueue, 'open' | 'noteTry'>;
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
    const failed = expiresAt <= now() ? EXPIRED : await findFailure(send(id, mail));
    mailQueue.noteTry(id, failed?.isFinal ?? false);
    if (!failed) {
      mailTries.inc({ outcome: 'sent' });
      return mails.markSent(row, now());
    }

    const { reason, isFinal } = failed;
    const nextTryAt = now() + ((isFinal ? undefined : PAUSES_MS[tries - 1]) ?? Infinity);
    if (nextTryAt < expiresAt) {
      mailTries.inc({ outcome: 'failed' });
      await mails.planRetry(row, reason, nextTryAt);
      return log.warn({ mail: id, kind, tries, reason }, 'mail not sent');
    }
    mailTries.inc({ outcome: 'given_up' });
    await mails.giveUp(row, reason);
    log.error({ mail: id, kind, tries, reason }, 'mail given up');
  }

  async function sendAll(signal: AbortSignal): Promise<void> {
    await mails.releaseStaleClaims(now() - CLAIM_MS);
    for (;;) {
      const row = signal.aborted ? undefined : await mails.claimNext(now());
      if (!row) break;
      const over = new AbortController();
      await Promise.race([sendOne(row).finally(() => over.abort()), stopping(signal, over.signal)]);
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

/** Ends a while after the server has begun to stop; never, when the work is over before. */
async function stopping(signal: AbortSignal, over: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true, signal: over }));
  await wait(STOP_MS, undefined, { ref: false });
}

/** Why a try failed, as codes alone: a mail server's sentence may repeat the address. */
interface Failure {
  reason: string;
  /** Another try would fail as well. */
  isFinal: boolean;
}

const EXPIRED: Failure = { reason: 'EXPIRED', isFinal: true };
const TIMED_OUT: Failure = { reason: 'ETIMEDOUT', isFinal: false };

/**
 * Waits for one try.
 * @returns undefined when it did not fail
 */
async function findFailure(sending: Promise<void>): Promise<Failure | undefined> {
  try {
    return (await withTimeout(TRY_MS, sending, TIMED_OUT)) ?? undefined;
  } catch (error) {
    const { code, responseCode, command, permanent } = error as Record<string, unknown>;
    const codes = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number');
    // Of what a mail server refuses for good (5xx), the recipient and the text are the mail's. The rest, such as our
    // password or the sender, is wrong in the settings, and an operator can mend it.
    const isOfMail = command === 'RCPT TO' || code === 'EMESSAGE';
    return { reason: codes.length > 0 ? codes.join(' ') : 'unknown', isFinal: permanent === true && isOfMail };
  }
}
