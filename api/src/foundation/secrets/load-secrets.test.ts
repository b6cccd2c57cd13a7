import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { listExposedFiles, loadSecrets } from './load-secrets.ts';

test('a development server generates its secrets once and stores them readable only by its user', () => {
  const DATA_DIR = makeFolder();
  const env = parseEnv({ DATA_DIR });

  const first = loadSecrets(env);
  const second = loadSecrets(env);

  expect(second.pepper).toBe(first.pepper);
  expect(second.signingKey.publicJwk).toEqual(first.signingKey.publicJwk);
  expect(readdirSync(join(DATA_DIR, 'secrets')).sort()).toEqual(['hwid-pepper', 'signing-key.json']);
  for (const name of ['hwid-pepper', 'signing-key.json']) {
    expect(statSync(join(DATA_DIR, 'secrets', name)).mode & 0o777).toBe(0o600);
  }
});

test('configured secrets are used, and none are generated', () => {
  const DATA_DIR = makeFolder();
  const SIGNING_KEY_FILE = join(DATA_DIR, 'key.json');
  writeFileSync(SIGNING_KEY_FILE, generateSigningKey('2026-11a'));

  const NEXT_SIGNING_KEY_FILE = join(DATA_DIR, 'next.json');
  writeFileSync(NEXT_SIGNING_KEY_FILE, generateSigningKey('2026-12a'));

  const { pepper, signingKey, nextSigningKey } = loadSecrets(
    parseEnv({ DATA_DIR, SIGNING_KEY_FILE, NEXT_SIGNING_KEY_FILE, HWID_PEPPER: 'p'.repeat(40) }),
  );

  expect(pepper).toBe('p'.repeat(40));
  expect([signingKey.kid, nextSigningKey?.kid]).toEqual(['2026-11a', '2026-12a']);
  expect(readdirSync(DATA_DIR).sort()).toEqual(['key.json', 'next.json']);
});

test('threat 45: with an external signer the server holds only public keys, and rejects private ones', () => {
  const DATA_DIR = makeFolder();
  const [SIGNING_KEY_FILE, NEXT_SIGNING_KEY_FILE] = ['2026-11a', '2026-12a'].map((kid) => {
    const path = join(DATA_DIR, kid);
    writeFileSync(path, JSON.stringify(readSigningKey(generateSigningKey(kid)).publicJwk));
    return path;
  });
  const SIGNER_SOCKET = join(DATA_DIR, 'signer.sock');
  const settings = { DATA_DIR, SIGNING_KEY_FILE, NEXT_SIGNING_KEY_FILE, SIGNER_SOCKET, SIGNER_SECRET: 's'.repeat(32) };

  const { signingKey, nextSigningKey } = loadSecrets(parseEnv(settings));

  expect([signingKey.kid, nextSigningKey?.kid]).toEqual(['2026-11a', '2026-12a']);
  expect(Object.keys(signingKey)).toEqual(['kid', 'publicJwk', 'sign']);
  writeFileSync(SIGNING_KEY_FILE ?? '', generateSigningKey('2026-11a'));
  expect(() => loadSecrets(parseEnv(settings))).toThrow(/^SIGNING_KEY_FILE: .* holds a private half/);
  expect(() => parseEnv({ DATA_DIR, SIGNER_SOCKET: '/run/signer.sock' })).toThrow(
    'SIGNING_KEY_FILE: must be set with SIGNER_SOCKET\nSIGNER_SECRET: must be set with SIGNER_SOCKET',
  );
});

test.each([
  { name: 'SIGNING_KEY_FILE', text: undefined },
  { name: 'SIGNING_KEY_FILE', text: '{"kty":"RSA"}' },
  { name: 'SIGNING_KEY_FILE', text: foreignHalf() },
  { name: 'NEXT_SIGNING_KEY_FILE', text: '{"kty":"RSA"}' },
])('an invalid $name stops the start with its name', ({ name, text }) => {
  const DATA_DIR = makeFolder();
  const path = join(DATA_DIR, 'file.json');
  if (text !== undefined) writeFileSync(path, text);

  expect(() => loadSecrets(parseEnv({ DATA_DIR, [name]: path }))).toThrow(new RegExp(`^${name}: `));
});

test('secret files that others can read are listed, but public key files are not', () => {
  const DATA_DIR = makeFolder();
  const [open, group] = ['open.json', 'group.json'].map((name) => join(DATA_DIR, name)) as [string, string];
  for (const [path, mode] of [
    [open, 0o644],
    [group, 0o640],
  ] as const) {
    writeFileSync(path, '{}');
    chmodSync(path, mode);
  }
  const list = (settings: Record<string, string>) =>
    listExposedFiles(parseEnv({ DATA_DIR, ...settings })).map(({ setting }) => setting);

  expect(list({ SIGNING_KEY_FILE: open, NEXT_SIGNING_KEY_FILE: group, ADVERTISERS_FILE: open })).toEqual([
    'SIGNING_KEY_FILE',
    'ADVERTISERS_FILE',
  ]);
  expect(list({ SIGNING_KEY_FILE: group, NEXT_SIGNING_KEY_FILE: open })).toEqual(['NEXT_SIGNING_KEY_FILE']);
  expect(list({ SIGNING_KEY_FILE: open, SIGNER_SOCKET: '/run/signer', SIGNER_SECRET: 's'.repeat(32) })).toEqual([]);
  expect(list({ SIGNING_KEY_FILE: '/run/secrets/key.json' })).toEqual([]);
});

/** A signing key with the public half of another key. */
function foreignHalf(): string {
  const [one, other] = [
    JSON.parse(generateSigningKey('k')) as { x: string },
    JSON.parse(generateSigningKey('k')) as { x: string },
  ];
  return JSON.stringify({ ...one, x: other.x });
}
