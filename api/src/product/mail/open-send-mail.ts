import { join } from 'node:path';
import { PRODUCT } from '@app/contracts/brand';
import type { Logger } from 'pino';
import type { Env } from '#api/foundation/settings/env.ts';
import { createOutbox, createSmtp, type SendMail } from './mail-transport.ts';

/** The sender of a development machine. */
const NOBODY = `${PRODUCT.label} <no-reply@localhost>`;

/**
 * Chooses how mails leave: by the mail server of MAIL_URL, or as files in `DATA_DIR/outbox`. A development machine also
 * prints the links of the files, so that nobody has to open them.
 */
export function openSendMail(
  {
    MAIL_URL,
    MAIL_FROM = NOBODY,
    MAIL_EHLO,
    DATA_DIR,
    NODE_ENV,
  }: Pick<Env, 'MAIL_URL' | 'MAIL_FROM' | 'MAIL_EHLO' | 'DATA_DIR' | 'NODE_ENV'>,
  log: Logger,
): SendMail {
  if (MAIL_URL !== undefined) return createSmtp(MAIL_URL, MAIL_FROM, MAIL_EHLO);

  const isProduction = NODE_ENV === 'production';
  if (isProduction) log.warn('without MAIL_URL no mail leaves: they stay in DATA_DIR/outbox');
  return createOutbox(join(DATA_DIR, 'outbox'), MAIL_FROM, isProduction ? undefined : printLink);
}

/** Past the log, which strikes the secrets of links out. */
function printLink(link: string): void {
  process.stderr.write(`A mail has this link: ${link}\n`);
}
