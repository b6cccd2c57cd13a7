import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { createSmtpTransport, openSendMail } from './mail-transport.ts';
import { buildResetLink } from './mails.ts';

const MAIL = buildResetLink({
  reader: { to: 'ada@example.com', country: null },
  link: `https://example.com/reset-devices#t=${'a'.repeat(43)}`,
  expiresAt: 0,
  nextAt: null,
});

/** A mail server that speaks as much SMTP (RFC 5321) as one mail needs. `refused` is its answer to the recipient. */
async function openMailServer({ refused }: { refused?: string } = {}) {
  const commands: string[] = [];
  let message = '';

  const server = createServer((socket) => {
    let isData = false;
    socket.write('220 mail.example ESMTP\r\n');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      if (isData) {
        message += chunk;
        if (!message.endsWith('\r\n.\r\n')) return;
        isData = false;
        return void socket.write('250 taken\r\n');
      }
      for (const line of chunk.split('\r\n').filter((text) => text !== '')) {
        commands.push(line);
        if (line.startsWith('EHLO')) socket.write('250-mail.example\r\n250 AUTH PLAIN\r\n');
        else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n');
        else if (line.startsWith('RCPT')) socket.write(`${refused ?? '250 ok'}\r\n`);
        else if (line === 'DATA') {
          isData = true;
          socket.write('354 go on\r\n');
        } else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());

  return { port: (server.address() as AddressInfo).port, commands, read: () => message };
}

test('a mail is sent to the mail server with the user and password of its URL', async () => {
  const server = await openMailServer();
  const send = createSmtpTransport(
    `smtp://site%40example.com:p%3Aw@127.0.0.1:${String(server.port)}`,
    'Site <site@example.com>',
  );

  await send('mail-1', MAIL);

  const credentials = Buffer.from('\0site@example.com\0p:w').toString('base64');
  expect(server.commands).toContain(`AUTH PLAIN ${credentials}`);
  expect(server.commands).toContain('MAIL FROM:<site@example.com>');
  expect(server.commands).toContain('RCPT TO:<ada@example.com>');
  expect(server.read()).toContain('Message-ID: <mail-1@example.com>\r\n');
  expect(server.read()).toContain('Subject: Reset your devices\r\n');
  expect(server.read()).toContain('Auto-Submitted: auto-generated\r\n');
});

test('the mail server is greeted with the host name from the settings', async () => {
  const server = await openMailServer();
  const env = parseEnv({
    MAIL_URL: `smtp://127.0.0.1:${String(server.port)}`,
    MAIL_FROM: 'site@example.com',
    MAIL_EHLO: 'web1.example.com',
  });

  await openSendMail(env, pino({ enabled: false }))('mail-1', MAIL);

  expect(server.commands[0]).toBe('EHLO web1.example.com');
  expect(() => parseEnv({ MAIL_EHLO: 'web1\r\nMAIL FROM:<eve@example.com>' })).toThrow('MAIL_EHLO');
});

test('a mail address with a comma is never sent to two recipients', async () => {
  const server = await openMailServer();
  const send = createSmtpTransport(`smtp://127.0.0.1:${String(server.port)}`, 'site@example.com');

  await send('mail-1', { ...MAIL, to: 'ada@example.com,eve@example.com' }).catch(() => undefined);

  expect(server.commands.filter((line) => line.startsWith('RCPT TO:<eve'))).toEqual([]);
  expect(server.commands.filter((line) => line.startsWith('RCPT')).length).toBeLessThan(2);
});

test('a recipient rejected by the mail server gives an error with its code', async () => {
  const server = await openMailServer({ refused: '550 <ada@example.com> is unknown' });
  const send = createSmtpTransport(`smtp://127.0.0.1:${String(server.port)}`, 'site@example.com');

  await expect(send('mail-1', MAIL)).rejects.toMatchObject({
    code: 'EENVELOPE',
    responseCode: 550,
    command: 'RCPT TO',
    permanent: true,
  });
});

test('a password is never sent to another machine without TLS', async () => {
  const server = await openMailServer();
  // A name of this machine that is not known as one.
  const send = createSmtpTransport(
    `smtp://user:password@[::ffff:127.0.0.1]:${String(server.port)}`,
    'site@example.com',
  );

  await expect(send('mail-1', MAIL)).rejects.toThrow();
  expect(server.commands).toContain('STARTTLS');
  expect(server.commands.filter((line) => line.startsWith('AUTH'))).toEqual([]);
});
