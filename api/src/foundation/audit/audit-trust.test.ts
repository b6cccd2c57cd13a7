import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { createAuditTrust, openAuditTrust } from './audit-trust.ts';

const T0 = Date.UTC(2026, 10, 21, 12);

function makeKey(kid: string) {
  return readSigningKey(generateSigningKey(kid)).publicJwk;
}

test('reads an empty trust folder as no keys and no anchors', () => {
  const trust = createAuditTrust(join(makeFolder(), 'not-made-yet'));

  expect(trust.read()).toEqual({ keys: [], anchors: [], since: undefined });
  expect(trust.newestAnchor()).toBeUndefined();
});

test('keys and anchors are written once, readable only by their owner, and never overwritten', () => {
  const trust = createAuditTrust(join(makeFolder(), 'trust'));
  const [one, two] = [makeKey('2026-11a'), makeKey('2026-12a')];

  trust.keepKey(one, T0);
  trust.keepKey(two, T0 + 1000);
  trust.keepKey(one, T0 + 2000);
  for (const [day, jws] of [
    ['2026-11-20', 'a.b.c'],
    ['2026-11-21', 'd.e.f'],
    ['2026-11-20', 'x.y.z'],
  ] as const)
    trust.keepAnchor(day, jws);

  expect(trust.read()).toMatchObject({
    keys: [
      { kid: '2026-11a', x: one.x },
      { kid: '2026-12a', x: two.x },
    ],
    anchors: ['a.b.c', 'd.e.f'],
    since: T0,
  });
  expect(trust.newestAnchor()).toBe('d.e.f');
  for (const name of readdirSync(trust.folder, { recursive: true, encoding: 'utf8' })) {
    const entry = statSync(join(trust.folder, name));
    expect(entry.mode & 0o777).toBe(entry.isFile() ? 0o600 : 0o700);
  }
});

test('the trust folder is AUDIT_TRUST_DIR, or audit-trust in the data folder', () => {
  expect(openAuditTrust({ AUDIT_TRUST_DIR: '/mnt/audit', DATA_DIR: '/data' }).folder).toBe('/mnt/audit');
  expect(openAuditTrust({ AUDIT_TRUST_DIR: undefined, DATA_DIR: '/data' }).folder).toBe('/data/audit-trust');
});

test('files with other names are ignored', () => {
  const trust = createAuditTrust(makeFolder());
  trust.keepKey(makeKey('ours'), T0);
  trust.keepAnchor('2026-11-20', 'a.b.c');
  for (const name of ['keys/ours.json.bak', 'keys/ours-json', 'anchors/2026-11-20.jws.bak', 'anchors/a2026-11-20.jws'])
    writeFileSync(join(trust.folder, name), 'something else');

  expect(trust.listKeys()).toMatchObject([{ kid: 'ours' }]);
  expect(trust.read()).toMatchObject({ keys: [{ kid: 'ours' }], anchors: ['a.b.c'] });
});

test('an unreadable folder is reported, and not treated as empty', () => {
  const trust = createAuditTrust(makeFolder());
  writeFileSync(join(trust.folder, 'keys'), 'a file');

  expect(() => trust.read()).toThrow('ENOTDIR');
});

test('rejects a second key with a trusted kid, naming the file', () => {
  const trust = createAuditTrust(makeFolder());
  trust.keepKey(makeKey('2026-11a'), T0);

  expect(() => trust.keepKey(makeKey('2026-11a'), T0)).toThrow(
    `AUDIT_TRUST_DIR: ${join(trust.folder, 'keys/2026-11a.json')} is another key`,
  );
});

test.each([
  { text: '', problem: 'is not JSON' },
  { text: '{}', problem: 'kty is missing' },
  {
    text: JSON.stringify({ ...makeKey('mine'), since: 'yesterday' }),
    problem: 'since must be a time such as 2026-01-31T12:00:00.000Z',
  },
])('an invalid key file ($text) is named with its error', ({ text, problem }) => {
  const trust = createAuditTrust(makeFolder());
  mkdirSync(join(trust.folder, 'keys'));
  writeFileSync(join(trust.folder, 'keys/mine.json'), text);

  expect(() => trust.read()).toThrow(`AUDIT_TRUST_DIR: ${join(trust.folder, 'keys/mine.json')}: ${problem}`);
});
