import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { PRODUCT } from '@app/contracts/brand';
import type { Logger } from 'pino';
import { isLoopback } from '#api/foundation/settings/env-checks.ts';
import type { Env } from '#api/foundation/settings/env.ts';
import type { Mail } from './mails.ts';

/** Sends one mail. A mail that is sent again has the same id. */
export type SendMail = (id: string, mail: Mail) => Promise<void>;

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;

/** A mail never makes this server read a file or fetch an address. */
const NO_FILE_ACCESS = { disableFileAccess: true, disableUrlAccess: true };

/**
 * Hands mails to a mail server.
 * @param url `smtp://` or `smtps://`, with user and password if the server wants them. With a password, or with
 *   `smtps:`, nothing is said without TLS, unless the server is this machine.
 * @param from the sender, such as `Name <address>`
 * @param name the name that this machine greets with; by default its own
 */
export function createSmtpTransport(url: string, from: string, name?: string): SendMail {
  const { protocol, hostname, port, username, password } = new URL(url);
  const auth = username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const transport = createTransport({
    // Without the brackets of an IPv6 address.
    host: hostname.replaceAll(/[[\]]/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS: auth !== undefined && !isLoopback(hostname),
    ...(auth && { auth }),
    ...(name !== undefined && { name }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...NO_FILE_ACCESS,
  });

  return async (id, mail) => void (await transport.sendMail(compose(id, mail, from)));
}

/**
 * Writes mails as files `<id>.eml`, for machines without a mail server. A file appears complete or not at all, and only
 * our user can read it.
 * @param noteLink called with the link of a mail that has one, which only a development machine may do
 */
export function createFileTransport(
  folder: string,
  from: string,
  noteLink: (link: string) => void = () => undefined,
): SendMail {
  const transport = createTransport({ streamTransport: true, buffer: true, ...NO_FILE_ACCESS });

  return async (id, mail) => {
    const { message } = await transport.sendMail(compose(id, mail, from));
    if (!Buffer.isBuffer(message)) throw new Error('The mail was composed as a stream.');

    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `.${randomUUID()}`);
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(message);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, `${id}.eml`));

    const link = /^https?:\S+#t=\S+$/m.exec(mail.text)?.[0];
    if (link !== undefined) noteLink(link);
  };
}

function compose(id: string, { to, subject, text, html, unsubscribe }: Mail, from: string) {
  return {
    from,
    // As an object, the address is not parsed: it can be no list of addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${hostOf(from)}>`,
    headers: {
      // RFC 3834: so that no holiday notice answers.
      'Auto-Submitted': 'auto-generated',
      // RFC 8058: the button of mail programs that ends such mails with one click.
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    // Our links are long; other encodings would wrap them.
    textEncoding: 'quoted-printable' as const,
  };
}

function hostOf(from: string): string {
  return from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
}

const NO_REPLY = `${PRODUCT.label} <no-reply@localhost>`;

/**
 * Chooses how mails leave: by the mail server of MAIL_URL, or as files in `DATA_DIR/outbox`. A development machine also
 * prints the links of the files, so that they need not be opened.
 */
export function openSendMail(env: Env, log: Logger): SendMail {
  const { MAIL_URL, MAIL_FROM = NO_REPLY, MAIL_EHLO, DATA_DIR, NODE_ENV } = env;
  if (MAIL_URL !== undefined) return createSmtpTransport(MAIL_URL, MAIL_FROM, MAIL_EHLO);

  const isProduction = NODE_ENV === 'production';
  if (isProduction) log.warn('without MAIL_URL no mail leaves: they stay in DATA_DIR/outbox');
  return createFileTransport(join(DATA_DIR, 'outbox'), MAIL_FROM, isProduction ? undefined : printLink);
}

/** Past the log, which strikes the secrets of links out. */
function printLink(link: string): void {
  process.stderr.write(`A mail has this link: ${link}\n`);
}
