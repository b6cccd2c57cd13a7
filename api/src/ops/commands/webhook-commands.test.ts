import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { haltCanary } from '#api/delivery/channels/channel-changes.ts';
import { createChannelsRepository } from '#api/delivery/registry/registry.repository.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { openWebhooks } from '#api/foundation/open-webhooks.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { addRelease } from '#api/test/delivery/add-release.ts';
import { findDeadOrigin } from '#api/test/listen.ts';
import { openReceiver, type ReceivedRequest } from '#api/test/open-receiver.ts';
import { insertLicence, pseudonyms } from '#api/test/product/insert-licence.ts';
import { askForKey } from '#api/test/product/key-calls.ts';
import { HWID, walkRun, ZONE } from '#api/test/product/visitor-steps.ts';
import { openTerminal } from '#api/test/programs/open-terminal.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { verifyWebhook } from '../../../../samples/webhooks/verify-webhook.ts';
import { pythonPath } from '../../../../tools/machine/interpreters.ts';

/** A server that may send to this machine, its operator's terminal, and a receiver. */
async function open() {
  const terminal = await openTerminal({ addresses: 'any' });
  const { api, ask } = terminal;
  const receiver = await openReceiver();
  const { jobs } = openWebhooks(api.site, api.modules, 'any');
  const never = new AbortController().signal;
  return {
    ...terminal,
    receiver,
    add: async (...argv: string[]) =>
      (await ask('webhook', 'add', '--url', receiver.url, ...argv)) as { id: string; secret: string },
    /** Sends what is due by now. */
    sendDue: async () => {
      await sealAudit(api.db);
      for (const { run } of jobs) await run(never);
      await api.site.background.drain(5000);
    },
  };
}

const read = ({ body }: ReceivedRequest) => JSON.parse(body) as { type: string; data: Record<string, unknown> };

test('threat 53: a webhook reports issued and revoked keys, and both samples verify its signature', async () => {
  const { api, receiver, add, sendDue, type } = await open();
  const { secret } = await add('--app', 'main');
  await walkRun(api);
  await walkRun(api, { companion: true });
  await sendDue();
  await type('key', 'revoke', HWID, '--reason', 'sold');
  await sendDue();

  expect(await askForKey(api)).toMatchObject({ status: 'none' });
  const { jws } = await api.db.selectFrom('accessKey').select('jws').executeTakeFirstOrThrow();
  const issued = {
    app: 'main',
    jti: expect.any(String) as string,
    sub: keySubject(HWID),
    src: 'ads',
    issuedAt: expect.any(Number) as number,
    expiresAt: expect.any(Number) as number,
  };
  expect(receiver.received.map(read)).toEqual([
    {
      type: 'key.issued',
      version: '1',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      data: issued,
    },
    {
      type: 'key.withdrawn',
      version: '1',
      timestamp: new Date(api.now()).toISOString(),
      data: { ...issued, withdrawnAt: api.now() },
    },
  ]);
  for (const message of receiver.received) {
    for (const text of [jws, HWID, ZONE, secret, 'ada']) expect(JSON.stringify(message)).not.toContain(text);
    expect(verifyWebhook(secret, message.headers, message.body, api.now() / 1000)).toBe(true);
    expect(verifyWebhook(secret, message.headers, `${message.body} `, api.now() / 1000)).toBe(false);
    expect(verifyInPython(secret, message, api.now() / 1000)).toEqual([false, false, true, true, true]);
  }
});

test('a webhook reports the keys of a plan when they are issued and when they are revoked', async () => {
  const { api, receiver, add, sendDue, type } = await open();
  await add('--app', 'main');
  await insertLicence(api.db, { hwids: [], startsAt: api.now() });
  const device = await createDevicesRepository(api.db).ensure('main', pseudonyms.hwid(HWID), api.now());
  await createLicencesRepository(api.db).bind('licence', device.id, api.now());
  await askForKey(api);

  await type('licence', 'revoke', 'period of licence', '--reason', 'a chargeback');
  await sendDue();

  const data = { app: 'main', sub: keySubject(HWID), src: 'plan' };
  expect(receiver.received.map(read).sort((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
    { type: 'key.issued', data },
    { type: 'key.withdrawn', data },
  ]);
  // Why a buyer lost a plan is no business of an author.
  expect(JSON.stringify(receiver.received)).not.toContain('chargeback');
});

test('a webhook reports a canary halted by the site or by an operator', async () => {
  const { api, receiver, add, sendDue } = await open();
  await add('--unit', 'tools');
  await addRelease(api.db, 'tools', '1.0.0');
  for (const version of ['1.1.0', '1.2.0']) {
    await addRelease(api.db, 'tools', version);
    await createChannelsRepository(api.db).save('tools', { stable: '1.0.0', canary: version, canaryShare: 100 });
    const networks = version === '1.1.0' ? { failed: 5, served: 9 } : undefined;
    await haltCanary(
      api,
      'tools',
      { reason: 'It failed', ...(networks && { networks }) },
      { by: 'Mia', at: api.now() },
    );
    await sendDue();
  }

  expect(receiver.received.map(read)).toMatchObject(
    [
      { version: '1.1.0', networks: { failed: 5, served: 9 } },
      { version: '1.2.0', networks: null },
    ].map((data) => ({ type: 'canary.halted', data: { unit: 'tools', reason: 'It failed', by: 'Mia', ...data } })),
  );
});

test('a webhook secret is shown once, and list and log leave it out', async () => {
  const { api, add, type, sendDue, receiver, listAudit } = await open();
  const { id, secret } = await add('--app', 'main');
  await walkRun(api);
  await sendDue();

  const [list, log] = [await type('webhook', 'list'), await type('webhook', 'log', id)];
  expect(list.out).toMatch(new RegExp(`${id} +app main +${receiver.url} +key.issued, key.withdrawn +works +0 +1 +0`));
  expect(log.out).toMatch(/key\.issued +\S+ \S+ +delivered +1 +204/);
  for (const { out } of [list, log]) expect(out).not.toContain(secret);
  expect(await listAudit()).toMatchObject([{ kind: 'webhook', code: 'added' }]);
  expect(JSON.stringify(await listAudit())).not.toContain('/hook');
  const row = await api.db.selectFrom('webhook').selectAll().executeTakeFirst();
  expect(JSON.stringify(row)).not.toContain(secret);
});

test('a test message is sent at once and the answer of its receiver is printed', async () => {
  const { api, add, say, type, receiver } = await open();
  const { id, secret } = await add('--app', 'main');

  expect((await type('webhook', 'test', id)).out).toMatch(
    /^The receiver answered 204 after \d+ ms\. It took the message\.$/,
  );
  expect(receiver.received.map(read)).toMatchObject([{ type: 'webhook.test', data: { app: 'main' } }]);
  const [message] = receiver.received;
  expect(message && verifyWebhook(secret, message.headers, message.body, Date.now() / 1000)).toBe(true);
  expect((await type('webhook', 'log', id)).out).toMatch(/webhook\.test .* delivered +1 +204/);

  expect(await say('webhook', 'resend', id)).toEqual([0, expect.stringMatching(/^0 deliver/) as string]);

  const dead = `${await findDeadOrigin()}/`;
  await api.db.updateTable('webhook').set({ url: dead }).execute();
  expect(await say('webhook', 'test', id)).toEqual([
    1,
    expect.stringContaining('did not answer (ECONNREFUSED)') as string,
  ]);
  expect((await type('webhook', 'log', id)).out).toMatch(/webhook\.test .* given up +1 +ECONNREFUSED/);
  expect((await type('webhook', 'resend', id)).out).toMatch(/^0 deliveries/);
});

test('a single delivery can be retried, and a removed webhook receives nothing more', async () => {
  const { api, add, ask, type, sendDue, receiver } = await open();
  const { id } = await add('--app', 'main');
  await walkRun(api);
  await sendDue();
  const [delivery] = (await ask('webhook', 'log', id)) as { id: string }[];

  expect((await type('webhook', 'resend', delivery?.id ?? '')).out).toMatch(/^1 delivery is due now/);
  await sendDue();
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery?.id, delivery?.id]);

  expect(await type('webhook', 'remove', id)).toMatchObject({ code: 0 });
  await type('key', 'revoke', HWID, '--reason', 'sold');
  await sendDue();
  expect(receiver.received).toHaveLength(2);
  expect(await api.db.selectFrom('webhookDelivery').selectAll().execute()).toEqual([]);
});

test.each([
  { argv: ['add', '--url', 'https://hooks.example/'], code: 2, said: '--app or --unit' },
  { argv: ['add', '--app', 'main', '--unit', 'tools', '--url', 'https://hooks.example/'], code: 2, said: 'conflict' },
  {
    argv: ['add', '--app', 'v5', '--url', 'https://hooks.example/'],
    code: 1,
    said: 'No app has the id v5; see: app list',
  },
  {
    argv: ['add', '--unit', 'news', '--url', 'https://hooks.example/'],
    code: 1,
    said: 'see: npm run release -- unit list',
  },
  { argv: ['add', '--app', 'main', '--url', 'http://hooks.example/'], code: 2, said: 'begin with https://' },
  { argv: ['add', '--app', 'main', '--url', 'https://10.1.2.3/'], code: 2, said: 'private network' },
  { argv: ['add', '--app', 'main', '--url', 'http://127.0.0.1:8080/'], code: 2, said: 'WEBHOOK_ADDRESSES=any' },
  { argv: ['add', '--app', 'main', '--url', 'https://localhost/'], code: 2, said: 'WEBHOOK_ADDRESSES=any' },
  {
    argv: ['add', '--app', 'main', '--url', 'https://hooks.example/', '--events', 'canary.halted'],
    code: 2,
    said: 'key.issued, key.withdrawn',
  },
  { argv: ['log', 'nothing'], code: 1, said: 'No webhook has this id; see: webhook list' },
  { argv: ['test', 'nothing'], code: 1, said: 'No webhook has this id' },
  { argv: ['resend', 'nothing'], code: 1, said: 'no delivery has this id' },
  { argv: ['remove', 'nothing'], code: 1, said: 'No webhook has this id' },
])('webhook $argv is rejected', async ({ argv, code, said }) => {
  const { api, type } = await openTerminal();

  const refused = await type('webhook', ...argv);

  expect(refused.code).toBe(code);
  expect(refused.err.replace('cannot be used with', 'conflict')).toContain(said);
  expect(await api.db.selectFrom('webhook').selectAll().execute()).toEqual([]);
});

test('testing a webhook whose address has become private names WEBHOOK_ADDRESSES', async () => {
  const { api, ask, say } = await openTerminal();
  const { id } = (await ask('webhook', 'add', '--app', 'main', '--url', 'https://hooks.example/')) as { id: string };
  await api.db.updateTable('webhook').set({ url: 'https://10.0.0.1/' }).execute();

  expect(await say('webhook', 'test', id)).toEqual([
    1,
    expect.stringMatching(/^Nothing was sent\. .*WEBHOOK_ADDRESSES=any\.$/) as string,
  ]);
});

/** What the sample says of an edited message, an older one, and one as it came: with headers as Flask and WSGI give them, too. */
function verifyInPython(secret: string, { headers, body }: ReceivedRequest, now: number): unknown {
  const code = `
import json, sys
from verify_webhook import verify_webhook
secret, headers, body, now = json.load(sys.stdin)
as_environ = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()}
as_titles = {name.title(): value for name, value in headers.items()}
print(json.dumps([verify_webhook(secret, given, text.encode(), at) for given, text, at in [
    (headers, body + " ", now), (headers, body, now + 999),
    (headers, body, now), (as_titles, body, now), ({**as_environ, "wsgi.version": (1, 0)}, body, now)]]))`;
  const folder = fileURLToPath(new URL('../../../../samples/webhooks/', import.meta.url));
  const { stdout } = spawnSync(pythonPath(), ['-B', '-c', code], {
    cwd: folder,
    input: JSON.stringify([secret, headers, body, now]),
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as unknown;
}
