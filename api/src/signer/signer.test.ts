import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { calculateThumbprint } from '#api/foundation/crypto/public-jwk.ts';
import {
  generateSigningKey,
  readSigningKey,
  SignerBusy,
  SignerUnavailable,
} from '#api/foundation/crypto/signing-key.ts';
import { readJws } from '#api/foundation/crypto/jws.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { createSocketSigner } from '#api/foundation/crypto/socket-signer.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { buildProgram } from '#api/test/programs/build-program.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { askForKey, verify } from '#api/test/product/key-calls.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { makeSignerPlace, sendRaw, SIGNER_SECRET } from '#api/test/programs/signer-process.ts';
import { walkRun } from '#api/test/product/visitor-steps.ts';
import { createSignerServer } from './create-signer-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'signer-'));
let program: string;
beforeAll(async () => {
  program = await buildProgram('signer/main.ts', folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

function buildClaims() {
  const iat = Math.floor(Date.now() / 1000);
  const sub = keySubject('device-1234');
  return {
    iss: 'https://site.example',
    aud: 'main',
    sub,
    jti: randomId(),
    iat,
    nbf: iat,
    exp: iat + 60,
    src: 'ads',
    v: 1,
  };
}

function buildVerdict() {
  const { aud, sub, exp, iat, v } = buildClaims();
  return { v, nonce: 'nonce-of-16-char', aud, sub, key: keySubject('any key'), code: 'VALID', exp, iat };
}

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const ANCHOR = { day: YESTERDAY, first_seq: 1, last_seq: 5, last_hash: 'a'.repeat(64) };

test('a key and an anchor are signed and logged without their claims', async () => {
  const { start, signer, key } = makeSignerPlace(program);
  const { said } = await start({ BASE_URL: 'https://site.example' });
  const claims = buildClaims();
  expect(said.out).toContain(`"thumbprint":"${calculateThumbprint(key.publicJwk)}"`);

  const jws = await signer().sign('key+jws', claims);
  const anchor = await signer().sign('audit-anchor+jws', ANCHOR);

  expect(readJws(jws, 'key+jws', [key.publicJwk])).toEqual({ code: 'SIGNED', claims });
  expect(readJws(anchor, 'audit-anchor+jws', [key.publicJwk])).toEqual({ code: 'SIGNED', claims: ANCHOR });
  await expect
    .poll(() => said.out)
    .toMatch(new RegExp(`"id":"${claims.jti}".*\n.*"id":"${YESTERDAY}","last_seq":5,"last_hash":"a{64}"`));
  for (const secret of [jws, claims.sub, anchor]) expect(said.out).not.toContain(secret);
});

test('threat 45: a second, different anchor of a day is rejected', async () => {
  const { start, signer } = makeSignerPlace(program);
  await start();
  const first = await signer().sign('audit-anchor+jws', ANCHOR);

  for (const change of [{ last_seq: 6 }, { last_hash: 'b'.repeat(64) }, { first_seq: 2 }])
    await expect(signer().sign('audit-anchor+jws', { ...ANCHOR, ...change })).rejects.toThrow(
      'another anchor of this day was signed',
    );
  expect(await signer().sign('audit-anchor+jws', ANCHOR)).toBe(first);
});

test('threat 45: other data is not signed, and no request reveals a key', async () => {
  const { start, socket, signer } = makeSignerPlace(program);
  const { said } = await start({ BASE_URL: 'https://site.example' });
  const [kid, secret] = ['test-key', SIGNER_SECRET];

  for (const request of [
    { secret, kid, typ: 'JWT', claims: buildClaims() },
    { secret, kid, typ: 'key+jws', claims: { ...buildClaims(), iss: 'https://other.example' } },
    { secret, kid, typ: 'key+jws', claims: ANCHOR },
    { secret, kid: 'other', typ: 'key+jws', claims: buildClaims() },
    { secret, kid, typ: 'key+jws', claims: null },
    { secret, kid, op: 'private', keys: true },
    ['keys'],
    null,
    'keys',
  ])
    expect(Object.keys(JSON.parse(await sendRaw(socket, `${JSON.stringify(request)}\n`)) as object)).toEqual([
      'refused',
    ]);

  await expect(signer().sign('key+jws', { ...buildClaims(), exp: 1 })).rejects.toThrow('The signer refused to sign');
  expect(said.out).not.toContain('"signed"');
});

test('threat 45: a program with access to the socket but without the secret gets no signature', async () => {
  const { start, socket } = makeSignerPlace(program);
  const { said } = await start({ SIGNER_MAX_PER_SECOND: '1' });
  const request = { kid: 'test-key', typ: 'key+jws', claims: buildClaims() };

  for (const secret of [undefined, null, '', 'another-secret-of-thirty-two-letters', [SIGNER_SECRET, 'x'], true])
    expect(await sendRaw(socket, `${JSON.stringify({ secret, ...request })}\n`)).toBe(
      '{"refused":"another secret (SIGNER_SECRET)"}\n',
    );
  // They have not used up the rate of those who may ask.
  expect(await sendRaw(socket, `${JSON.stringify({ secret: SIGNER_SECRET, ...request })}\n`)).toContain('"jws"');
  expect(said.out).not.toContain(SIGNER_SECRET);
});

test('garbage, endless lines and half-closed or silent connections do not affect other clients', async () => {
  const { start, socket, signer } = makeSignerPlace(program);
  await start();

  const silent = sendRaw(socket, '{');
  expect(await sendRaw(socket, '\u0000\u0001 garbage\n')).toContain('refused');
  expect(await sendRaw(socket, Buffer.alloc(100_000, 'x'))).toBe('');
  expect(await sendRaw(socket, '{"kid":', { end: true })).toBe('');
  expect(await sendRaw(socket, '', { end: true })).toBe('');
  const request = JSON.stringify({ secret: SIGNER_SECRET, kid: 'test-key', typ: 'key+jws', claims: buildClaims() });
  expect(await sendRaw(socket, `${request}\n`, { end: true })).toContain('"jws"');
  expect(await sendRaw(socket, `${request}\n${request}\n`)).toMatch(/^[^\n]*\n$/);
  await expect(signer().sign('key+jws', buildClaims())).resolves.toContain('.');
  expect(await silent).toBe('');
});

test('two simultaneous servers get the signatures that each requested', async () => {
  const { start, signer, key } = makeSignerPlace(program);
  await start({ SIGNER_MAX_PER_SECOND: '1000' });
  const orders = [signer(), signer()].flatMap((one) =>
    Array.from({ length: 40 }, () => ({ one, claims: buildClaims() })),
  );

  const signed = await Promise.all(orders.map(({ one, claims }) => one.sign('key+jws', claims)));

  for (const [nth, { claims }] of orders.entries())
    expect(readJws(signed[nth] ?? '', 'key+jws', [key.publicJwk])).toEqual({ code: 'SIGNED', claims });
});

test('a server without the private key issues the key of a run and a verdict about it', async () => {
  const { start, signer, key: signingKey } = makeSignerPlace(program);
  await start();
  const api = await createTestApi({ signingKey: signer(), startAt: Date.now() - 200_000 });

  await walkRun(api);

  const { code, verdict } = await verify(api, (await askForKey(api)).key, { nonce: 'nonce-of-16-char' });
  expect(code).toBe('VALID');
  expect(readJws(String(verdict), 'verdict+jws', [signingKey.publicJwk])).toMatchObject({ code: 'SIGNED' });
});

test('threat 52: requests above the rate are rejected until the next second, and verdicts do not count towards the rate of keys', async () => {
  const clock = { at: Math.floor(Date.now() / 1000) * 1000 };
  const warned: unknown[] = [];
  const socket = join(makeFolder(), 'signer.sock');
  const key = readSigningKey(generateSigningKey('test-key'));
  const log = { info: () => undefined, warn: (told: unknown) => void warned.push(told) };
  const server = createSignerServer({
    secret: SIGNER_SECRET,
    keys: [key],
    issuer: undefined,
    maxPerSecond: 3,
    log,
    now: () => clock.at,
  });
  server.listen(socket);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const ask = (typ: string, claims: object) =>
    sendRaw(socket, `${JSON.stringify({ secret: SIGNER_SECRET, kid: 'test-key', typ, claims })}\n`);
  const askForKey = () => ask('key+jws', buildClaims());
  const askForVerdict = () => ask('verdict+jws', buildVerdict());

  for (let nth = 1; nth <= 3; nth++) expect(await askForVerdict()).toContain('"jws"');
  for (let nth = 4; nth <= 6; nth++) expect(await askForVerdict()).toContain('too many requests');
  expect(warned).toEqual([{ of: 'verdicts', maxPerSecond: 3 }]);
  for (let nth = 1; nth <= 3; nth++) expect(await askForKey()).toContain('"jws"');
  for (let nth = 4; nth <= 6; nth++) expect(await askForKey()).toContain('too many requests');
  expect(warned).toEqual([
    { of: 'verdicts', maxPerSecond: 3 },
    { of: 'keys and anchors', maxPerSecond: 3 },
  ]);
  clock.at += 1000;
  expect(await askForKey()).toContain('"jws"');
  expect(await askForVerdict()).toContain('"jws"');
});

test('threat 52: a flood of verdicts blocks neither the connections nor the queue of keys', async () => {
  const { start, signer, key } = makeSignerPlace(program);
  await start();
  const one = signer();

  const flood = Array.from({ length: 500 }, () =>
    one.sign('verdict+jws', buildVerdict()).catch((error: unknown) => error),
  );
  const amid = await one.sign('key+jws', buildClaims());
  const answers = await Promise.all(flood);
  const after = await one.sign('key+jws', buildClaims());

  for (const jws of [amid, after]) expect(readJws(jws, 'key+jws', [key.publicJwk]).code).toBe('SIGNED');
  const refusals = answers.filter((answer) => typeof answer !== 'string');
  expect(answers.length - refusals.length).toBeGreaterThanOrEqual(100);
  // A line in the log for each of them would be more work at the worst moment.
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(SignerBusy);
});

test('threat 52: a signer that fails for verdicts is still used for keys', async () => {
  const { socket, signer, folder: place } = makeSignerPlace(program);
  const server = createServer((connection) =>
    connection.once('data', (line) => {
      if (String(line).includes('verdict+jws')) connection.destroy();
      else connection.end(`{"refused":"asked in ${place}"}\n`);
    }),
  ).listen(socket);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const one = signer();

  await expect(one.sign('verdict+jws', buildVerdict())).rejects.toThrow('hung up');
  await expect(one.sign('verdict+jws', buildVerdict())).rejects.toBeInstanceOf(SignerBusy);
  await expect(one.sign('key+jws', buildClaims())).rejects.toThrow(`asked in ${place}`);
});

/** A signer with more requests than it takes at once: 16 are there, and one waits. It answers those after them. */
async function overload() {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { socket, signer } = makeSignerPlace(program);
  const held: Socket[] = [];
  const server = createServer((connection) => {
    if (held.length < 16) held.push(connection);
    else connection.end('{"refused":"asked"}\n');
  }).listen(socket);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const one = signer();
  const ask = () => one.sign('verdict+jws', buildVerdict()).catch((error: unknown) => error);
  const answers = Array.from({ length: 17 }, ask);
  await expect.poll(() => held.length).toBe(16);
  return { ask, held, last: answers[16] };
}

test('a request that waited too long is rejected, and later ones are not', async () => {
  const { ask, held, last } = await overload();
  vi.advanceTimersByTime(1001);
  for (const connection of held) connection.end('{"refused":"asked"}\n');

  expect(await last).toMatchObject({ message: 'Too many wait for the signer.' });
  expect(await ask()).toMatchObject({ message: expect.stringContaining('asked') as string });
});

test('queued requests are rejected after the signer has failed', async () => {
  const { held, last } = await overload();
  for (const connection of held) connection.destroy();

  expect(await last).toBeInstanceOf(SignerBusy);
});

test('a failed signer is not retried within a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { signer } = makeSignerPlace(program);
  const one = signer();

  await expect(one.sign('key+jws', buildClaims())).rejects.toThrow('cannot be reached');
  await expect(one.sign('key+jws', buildClaims())).rejects.toThrow('did not answer a moment ago');
  vi.advanceTimersByTime(1000);
  await expect(one.sign('key+jws', buildClaims())).rejects.toThrow('cannot be reached');
});

test.each(['null', '1', '[]', '"jws"', 'garbage'])(
  'the invalid signer response %s gives no signature',
  async (said) => {
    const { socket, signer } = makeSignerPlace(program);
    const server = createServer((connection) => connection.end(`${said}\n`)).listen(socket);
    await once(server, 'listening');
    onTestFinished(() => void server.close());

    await expect(signer().sign('key+jws', buildClaims())).rejects.toBeInstanceOf(SignerUnavailable);
  },
);

test('a request to a signer that hangs times out, and the signer is used again once it responds', async () => {
  const { start, signer } = makeSignerPlace(program);
  const { child } = await start();
  const one = signer();
  await one.sign('key+jws', buildClaims());
  child.kill('SIGSTOP');
  onTestFinished(() => void child.kill('SIGCONT'));

  await expect(one.sign('key+jws', buildClaims())).rejects.toThrow('The signer does not answer');
  await expect(one.sign('key+jws', buildClaims())).rejects.toBeInstanceOf(SignerUnavailable);

  child.kill('SIGCONT');
  await expect.poll(() => one.sign('key+jws', buildClaims()).catch(() => ''), { timeout: 10_000 }).toContain('.');
});

test('a restarted signer replaces its stale socket, and a second signer is rejected', async () => {
  const { start, signer, socket } = makeSignerPlace(program);
  const first = await start();
  expect((statSync(socket).mode & 0o777).toString(8)).toBe('600');
  first.child.kill('SIGKILL');
  await first.ended;
  await expect(signer().sign('key+jws', buildClaims())).rejects.toThrow('cannot be reached');

  const second = await start({ SIGNER_SOCKET_MODE: '660' });
  expect((statSync(socket).mode & 0o777).toString(8)).toBe('660');
  const third = await start();
  expect([third.child.exitCode, third.said.err]).toEqual([1, `SIGNER_SOCKET: another signer listens on ${socket}\n`]);
  await expect(signer().sign('key+jws', buildClaims())).resolves.toContain('.');

  second.child.kill('SIGTERM');
  expect(await second.ended).toEqual([0, null]);
  expect(statSync(socket, { throwIfNoEntry: false })).toBeUndefined();
});

test('a former signing key still signs for servers that were not restarted, and another key with its id is rejected', async () => {
  const { start, folder: place, socket, key, file } = makeSignerPlace(program);
  const newFile = join(place, 'new.json');
  writeFileSync(newFile, generateSigningKey('new-key'), { mode: 0o600 });
  await start({ SIGNING_KEY_FILE: newFile, FORMER_SIGNING_KEY_FILE: file });

  await expect(createSocketSigner(key, socket, SIGNER_SECRET).sign('key+jws', buildClaims())).resolves.toContain('.');
  const impostor = { ...readSigningKey(generateSigningKey('new-key')) };
  await expect(createSocketSigner(impostor, socket, SIGNER_SECRET).sign('key+jws', buildClaims())).rejects.toThrow(
    'with another key than new-key',
  );
});

test('a key file that others can read, and a path that is not a socket, stop the start of the signer', async () => {
  const { start, file, folder: place } = makeSignerPlace(program);
  chmodSync(file, 0o640);
  expect((await start()).said.err).toBe(`SIGNING_KEY_FILE: ${file} can be read by others; type: chmod 600 ${file}\n`);
  chmodSync(file, 0o600);
  expect((await start({ SIGNER_SECRET: 'short' })).said.err).toBe('SIGNER_SECRET: must have at least 32 characters\n');

  const noSocket = join(place, 'text');
  writeFileSync(noSocket, 'text');
  expect((await start({ SIGNER_SOCKET: noSocket })).said.err).toContain(`SIGNER_SOCKET: ${noSocket} cannot be used`);
  expect(statSync(noSocket).size).toBe(4);
});
