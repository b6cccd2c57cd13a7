import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { sqlite } from '#api/foundation/db/sqlite/sqlite.ts';
import { T0 } from '#api/test/build-rows.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { countMeanwhile, readMetric } from '#api/test/read-metric.ts';
import { createMailQueue } from './mail-queue.ts';
import { createMailSender } from './mail-sender.ts';
import { createFileTransport, type SendMail } from './mail-transport.ts';
import { buildDeviceAdded, buildResetLink } from './mails.ts';
import { createMailsRepository } from './mails.repository.ts';

const MINUTE = 60_000;
const MAIL = buildDeviceAdded({ reader: { to: 'ada@example.com', country: null }, device: 'device-1234', until: T0 });
const LINK = buildResetLink({
  reader: { to: 'ada@example.com', country: null },
  link: `https://example.com/reset-devices#t=${'a'.repeat(43)}`,
  expiresAt: T0 + 30 * MINUTE,
  nextAt: null,
});
const BUSY = Object.assign(new Error('421 <ada@example.com> later'), { code: 'EENVELOPE', responseCode: 421 });

const queue = createMailQueue(TEST_PEPPER);
const running = new AbortController().signal;

describeEachDatabase('the sender of mails', (db) => {
  const add = (at = T0, mail = MAIL) => queue.add({ mails: createMailsRepository(db()) }, mail, at);
  const rows = () => db().selectFrom('mail').selectAll().orderBy('id').execute();

  function open(send: SendMail) {
    let at = T0;
    const logged: string[] = [];
    const log = pino({}, { write: (line: string) => void logged.push(line) });
    return {
      ...createMailSender({ db: db(), mailQueue: queue, send, log, now: () => at }),
      logged,
      set: (to: number) => (at = to),
    };
  }

  /** Wakes the queue for a mail. Waits until the sender rests: it would take the next test's mail otherwise. */
  async function follow(id: string, sender: ReturnType<typeof open>): Promise<boolean> {
    let sending: Promise<void> | undefined;
    queue.onWake(() => void (sending = sender.sendDue(running)));
    const isRefused = await queue.sendAndWait(id);
    await sending;
    return isRefused;
  }

  test('a queued mail is encrypted, and the database reveals neither its recipient nor its text', async () => {
    await add();

    const waiting = await rows();
    expect(JSON.stringify(waiting)).not.toMatch(/ada@|example\.com|device-1234/);
    expect(waiting.map((row) => queue.open(row))).toEqual([MAIL]);
  });

  test('a mail is not queued when its transaction fails', async () => {
    const failing = db()
      .transaction()
      .execute(async (trx) => {
        await queue.add({ mails: createMailsRepository(trx) }, MAIL, T0);
        throw new Error('no');
      });

    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  test('the metrics count mails by outcome and those that wait', async () => {
    await add();
    await add(T0 + MINUTE);
    const answers = [() => Promise.reject(BUSY), () => Promise.resolve()];
    const sender = open(() => (answers.shift() ?? (() => Promise.reject(BUSY)))());

    const changes = await countMeanwhile(
      ['sent', 'failed', 'given_up'].map((outcome) => ['site_mails_total', { outcome }] as const),
      async () => {
        await sender.sendDue(running);
        expect(await readMetric('site_mails_waiting')).toBe(2);
        sender.set(T0 + 40 * MINUTE);
        await sender.sendDue(running);
        expect(await readMetric('site_mails_waiting')).toBe(1);
        await add(T0, { ...LINK, expiresAt: T0 });
        await sender.sendDue(running);
      },
    );

    expect(changes).toEqual([1, 2, 1]);
  });

  test('a mail is sent once and its text is removed afterwards', async () => {
    await add();
    const sent: string[] = [];
    const sender = open((id, { to }) => Promise.resolve(void sent.push(`${id} ${to}`)));

    await sender.sendDue(running);
    await sender.sendDue(running);

    const [row] = await rows();
    expect(sent).toEqual([`${row?.id ?? ''} ada@example.com`]);
    expect(row).toMatchObject({ state: 'sent', sealedMessage: null, sentAt: T0, tries: 1 });
  });

  test.each([
    { what: 'a recipient', error: { code: 'EENVELOPE', responseCode: 553, command: 'RCPT TO', permanent: true } },
    { what: 'a text', error: { code: 'EMESSAGE', responseCode: 554, command: 'DATA', permanent: true } },
  ])(
    'a mail with $what that the mail server rejects permanently is not retried, and the waiting request is notified',
    async ({ error }) => {
      const id = await add();
      const sender = open(() => Promise.reject(Object.assign(new Error('553 <ada@example.com> is unknown'), error)));

      expect(await follow(id, sender)).toBe(true);
      expect(await rows()).toMatchObject([
        { state: 'failed', sealedMessage: null, tries: 1, error: `${error.code} ${error.responseCode}` },
      ]);
      expect(sender.logged.at(-1)).toContain('mail given up');
      expect(sender.logged.join()).not.toContain('ada');
    },
  );

  test.each([
    { what: 'our password', error: { code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN', permanent: true } },
    { what: 'our sender', error: { code: 'EENVELOPE', responseCode: 550, command: 'MAIL FROM', permanent: true } },
    {
      what: 'a recipient for now',
      error: { code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO', permanent: false },
    },
  ])('a mail is retried when the mail server rejects $what', async ({ error }) => {
    const id = await add();
    const sender = open(() => Promise.reject(Object.assign(new Error('no'), error)));

    expect(await follow(id, sender)).toBe(false);
    expect(await rows()).toMatchObject([{ state: 'queued', tries: 1 }]);
  });

  test('a mail with a link is given up when the link would expire before delivery', async () => {
    await add(T0, LINK);
    await add(T0 - 60 * MINUTE, { ...LINK, expiresAt: T0 });
    const sent: string[] = [];
    const sender = open((_, { text }) => {
      sent.push(text);
      return Promise.reject(BUSY);
    });

    for (const minutes of [0, 1, 6]) {
      sender.set(T0 + minutes * MINUTE);
      await sender.sendDue(running);
    }
    expect(await rows()).toMatchObject([
      { state: 'failed', error: 'EXPIRED' },
      { state: 'queued', tries: 3 },
    ]);
    sender.set(T0 + 21 * MINUTE);
    await sender.sendDue(running);

    expect(await rows()).toMatchObject([{ state: 'failed' }, { state: 'failed', error: 'EENVELOPE 421' }]);
    expect(sent).toHaveLength(4);
  });

  test('a mail whose server died while sending is sent by another server after some minutes', async () => {
    await add();
    await createMailsRepository(db()).claim(T0, 1);
    let sent = 0;
    const sender = open(() => Promise.resolve(void sent++));

    sender.set(T0 + 9 * MINUTE);
    await sender.sendDue(running);
    expect(sent).toBe(0);
    sender.set(T0 + 10 * MINUTE);
    await sender.sendDue(running);

    expect(sent).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 2 }]);
  });

  test('a stopping server starts no further mail', async () => {
    await add();
    await add(T0 - 1);
    const stopping = new AbortController();
    const sender = open(() => Promise.resolve(stopping.abort()));

    await sender.sendDue(stopping.signal);

    expect((await rows()).map(({ state }) => state).sort()).toEqual(['queued', 'sent']);
  });

  test('without a mail server each mail becomes a file that only the server can read, and its link is logged', async () => {
    await add(T0, LINK);
    const folder = join(makeFolder(), 'outbox');
    const links: string[] = [];
    const sender = open(createFileTransport(folder, 'Site <no-reply@example.com>', (link) => links.push(link)));

    await sender.sendDue(running);

    const [row] = await rows();
    const id = row?.id ?? '';
    expect(readdirSync(folder)).toEqual([`${id}.eml`]);
    expect(statSync(join(folder, `${id}.eml`)).mode & 0o777).toBe(0o600);
    const file = readFileSync(join(folder, `${id}.eml`), 'utf8');
    expect(file).toContain('From: Site <no-reply@example.com>\r\n');
    expect(file).toContain('To: ada@example.com\r\n');
    expect(file).toContain(`Message-ID: <${id}@example.com>\r\n`);
    expect(file).toContain('multipart/alternative');
    expect(links).toEqual([`https://example.com/reset-devices#t=${'a'.repeat(43)}`]);
  });
});

test('an unreadable mail queue is logged and the sender does not throw', async () => {
  const db = withDialect(sqlite(':memory:'));
  onTestFinished(() => db.destroy());
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const sender = createMailSender({ db, mailQueue: queue, send: () => Promise.resolve(), log, now: () => T0 });

  await sender.sendDue(running);

  expect(logged.join()).toContain('queue of mails not read');
});
