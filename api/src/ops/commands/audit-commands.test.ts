import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signAnchor, utcDay } from '#api/foundation/audit/anchor.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { createAuditService } from '#api/foundation/audit/audit.service.ts';
import { calculateThumbprint } from '#api/foundation/crypto/public-jwk.ts';
import { generateSigningKey, readSigningKey, type SigningKey } from '#api/foundation/crypto/signing-key.ts';
import { recordEvent } from '#api/test/audit-chain.ts';
import { OPS_SIGNING_KEY, openTerminal } from '#api/test/programs/open-terminal.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { walkRun } from '#api/test/product/visitor-steps.ts';

const DAY = 24 * 60 * 60 * 1000;

test('audit verify names the first invalid row and exits with an error code', async () => {
  const { api, say, ask } = await openTerminal();
  expect(await say('audit', 'verify')).toEqual([
    0,
    expect.stringMatching(/; 1 event is not sealed yet, the oldest of \d{4}-/) as string,
  ]);
  await sealAudit(api.db);
  expect(await say('audit', 'verify')).toEqual([
    0,
    expect.stringMatching(/^Rows 1 to 1 are whole\. None is anchored yet: this site began \d/) as string,
  ]);
  await walkRun(api);
  await sealAudit(api.db);
  expect(await say('audit', 'verify')).toEqual([
    0,
    expect.stringMatching(/^Rows 1 to \d+ are whole\. None is anchored yet/) as string,
  ]);

  await api.db.updateTable('auditEvent').set({ code: 'revoked' }).where('seq', '=', 3).execute();

  expect(await say('audit', 'verify')).toEqual([1, 'Row 3 was changed after it was written.']);
  expect(await ask('audit', 'verify')).toEqual({ ok: false, seq: 3, problem: 'edited' });
});

test.each([
  {
    title: 'audit verify does not believe a database about the keys that signed it, until an operator does',
    beginning: /^[^-]/,
  },
  { title: 'a thumbprint that begins with a hyphen is typed as audit trust shows it', beginning: /^-/ },
])('$title', async ({ beginning }) => {
  const { api, say, type, auditTrust } = await openTerminal();
  const theirs = generateKeyBeginning(beginning);
  const { kid, publicJwk } = theirs;
  await api.db
    .insertInto('signingKey')
    .values({
      kid,
      alg: 'EdDSA',
      publicJwk: JSON.stringify(publicJwk),
      status: 'retired',
      notBefore: 0,
      notAfter: null,
    })
    .execute();
  const { seq: lastSeq, hash: lastHash } = await (
    await sealAudit(api.db)
  )
    .selectFrom('auditHead')
    .selectAll()
    .executeTakeFirstOrThrow();
  const anchor = { day: utcDay(api.now() - DAY), firstSeq: 1, lastSeq, lastHash };
  await api.db
    .insertInto('auditAnchor')
    .values({ ...anchor, kid, jws: await signAnchor(theirs, anchor) })
    .execute();

  expect(await say('audit', 'verify')).toEqual([
    1,
    `The anchor of ${anchor.day} is signed by a key that is not among the trusted ones in ${auditTrust.folder}.`,
  ]);
  expect(await say('audit', 'trust', 'not-there')).toEqual([
    1,
    'The database names no such key; see: signing-key list.',
  ]);

  const { code, out } = await type('audit', 'trust', kid);
  const line = /type: (audit trust theirs .*)$/.exec(out)?.[1] ?? '';
  expect(code).toBe(1);
  expect(line).toContain(calculateThumbprint(publicJwk));
  expect(await say('audit', 'trust', kid, '--', calculateThumbprint(OPS_SIGNING_KEY.publicJwk))).toEqual([
    1,
    expect.stringContaining('nothing was changed') as string,
  ]);
  expect(await type('audit', 'verify')).toMatchObject({ code: 1 });

  expect(await type(...line.split(' '))).toMatchObject({ code: 0 });
  expect(await say('audit', 'verify')).toEqual([0, 'Rows 1 to 1 are whole; 1 anchors, the newest at row 1.']);
});

function generateKeyBeginning(beginning: RegExp): SigningKey {
  let key: SigningKey;
  do key = readSigningKey(generateSigningKey('theirs'));
  while (!beginning.test(calculateThumbprint(key.publicJwk)));
  return key;
}

test.each([
  {
    why: 'whose id is a path',
    kid: 'web-2',
    jwk: { ...readSigningKey(generateSigningKey('web-2')).publicJwk, kid: '../evil' },
  },
  {
    why: 'whose id is a path in both places',
    kid: '../evil',
    jwk: { ...readSigningKey(generateSigningKey('web-2')).publicJwk, kid: '../evil' },
  },
  { why: 'of another id', kid: 'web-3', jwk: readSigningKey(generateSigningKey('web-unrelated')).publicJwk },
  { why: 'of another kind', kid: 'web-4', jwk: { kty: 'RSA', kid: 'web-4' } },
  {
    why: 'whose point has the wrong length',
    kid: 'web-5',
    jwk: { ...readSigningKey(generateSigningKey('web-5')).publicJwk, x: 'AAAA' },
  },
])('audit trust rejects a key $why', async ({ kid, jwk }) => {
  const { api, say, type, auditTrust } = await openTerminal();
  await api.db
    .insertInto('signingKey')
    .values({ kid, alg: 'EdDSA', publicJwk: JSON.stringify(jwk), status: 'retired', notBefore: 0, notAfter: null })
    .execute();
  const listFiles = () => readdirSync(auditTrust.folder, { recursive: true });
  const before = listFiles();
  const thumbprint = 'x' in jwk ? calculateThumbprint(jwk) : 'any';

  for (const words of [[kid], [kid, '--', thumbprint]]) {
    expect(await say('audit', 'trust', ...words)).toEqual([
      1,
      expect.stringMatching(/^The key that the database names .* nothing was changed\.$/) as string,
    ]);
  }

  expect(listFiles()).toEqual(before);
  expect(await type('audit', 'verify')).toMatchObject({ code: 0 });
});

test.each([
  {
    why: 'an emptied audit',
    tables: ['auditUnsealed', 'auditEvent', 'auditHead', 'auditAnchor'] as const,
    said: 'There are no rows, though the first start of a site writes one: they were removed.',
  },
  {
    why: 'an audit without its anchors',
    tables: ['auditAnchor'] as const,
    said: 'There are no anchors. A server signs its first one within a minute of its first start, so they were removed, or no server runs.',
  },
])('audit verify fails for $why', async ({ tables, said }) => {
  const { api, type } = await openTerminal();
  api.pass(2 * DAY);
  for (const table of tables) await api.db.deleteFrom(table).execute();

  expect(await type('audit', 'verify')).toMatchObject({ code: 1, out: said });
});

test('audit verify rejects a malformed anchor and names a day without one', async () => {
  const { api, say, auditTrust } = await openTerminal();
  expect(await say('audit', 'verify', '--anchor', 'a.b.c')).toEqual([
    1,
    `An anchor that was given, or kept in ${auditTrust.folder}, is not signed by a trusted key.`,
  ]);

  await sealAudit(api.db);
  await createAuditService({
    audit: createAuditRepository(api.db),
    trust: auditTrust,
    signingKey: () => OPS_SIGNING_KEY,
    retentionDays: 365,
    now: api.now,
  }).anchorEndedDays();
  api.pass(3 * DAY);
  expect(await say('audit', 'verify')).toEqual([
    1,
    `There is no anchor of ${utcDay(api.now() - 3 * DAY)}. A server that runs signs one for every day.`,
  ]);
});

test('audit tail shows the newest rows, oldest first', async () => {
  const { api, type, ask } = await openTerminal();
  for (const code of ['one', 'two', 'three']) {
    await recordEvent(api.db, { at: api.now(), kind: 'key', code, subject: 'device-row', detail: { jti: code } });
  }

  expect(
    (await type('audit', 'tail', '--lines', '2')).out.split('\n').map((line) => line.replace(/ {2,}/g, ' | ')),
  ).toEqual([
    'row | at | what | device | detail',
    expect.stringMatching(/^3 \| .*Z \| key two \| device-row \| {"jti":"two"}$/),
    expect.stringMatching(/^4 \| .*Z \| key three \| device-row \| {"jti":"three"}$/),
  ]);
  expect(await ask('audit', 'tail', '--lines', '1')).toEqual([
    { seq: 4, at: api.now(), kind: 'key', code: 'three', subject: 'device-row', detail: { jti: 'three' } },
  ]);
});
