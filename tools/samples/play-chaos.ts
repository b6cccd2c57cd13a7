import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { verifyKey } from '../../samples/typescript/verify-key.mjs';
import { createRandom, type Random } from '../attack/world/random.ts';
import { startChaosProxy, type ChaosProxy } from './chaos-proxy.ts';
import { startHarness } from './harness.ts';
import type { SampleLanguage } from './languages.ts';

const HWID = 'device-1234';
const ELSEWHERE = 'device-5678';
const ZONE = 'zone-1';
const DAY_S = 24 * 60 * 60;

/** How long a call may take. Short, because a test waits for the late ones; long enough for a busy machine. */
const TIMEOUT_S = 1;

/** After so long a client that a busy machine kept waiting may have given up a call that was answered. */
const SLOW_MS = TIMEOUT_S * 500;

/** The most that may pass between the first call on a calm way and the key, by the clock of the client's pauses. */
const CALM_S = 60;

/** The pauses after failures. Up to a fifth is added. */
const PAUSES_S = [5, 10, 20, 40, 60];

/** What a client has to say that it waits for. All others wait for an answer. */
const REASONS: Record<string, string> = {
  refused: 'network',
  reset: 'network',
  'hang up': 'network',
  'no HTTP': 'network',
  late: 'network',
  'given up': 'network',
  'a bad gateway': 'server',
  'an error of the server': 'server',
  'away until a date': 'busy',
  'away until an odd time': 'busy',
  answered: 'steps',
};

/** Where libraries differ: some find these out only when they read the body, and some read what came of it. */
const NETWORK_OR_ANSWER = ['a body cut short', 'chunks cut short', 'false compression', 'a body that never ends'];

const OURS = generateKeyPairSync('ed25519');
const THEIRS = generateKeyPairSync('ed25519');
const JWKS = { keys: [jwkOf(OURS.publicKey, 'ours')] };

interface Chaos {
  rounds: number;
  seed: number;
}

export interface ChaosReport {
  name: string;
  /** How many calls reached the proxy, and how many of them came to grief. */
  calls: number;
  mishaps: number;
  /** What went wrong, with the seed's round. */
  faults: string[];
}

/** Lets a client ask for its key again and again on a way on which everything happens, and judges what it did. */
export async function playChaos(language: SampleLanguage, { rounds, seed }: Chaos): Promise<ChaosReport> {
  const random = createRandom(seed).fork(language.name);
  const server = createServer(random);
  const proxy = await startChaosProxy({
    random,
    answer: server.answer,
    forge: server.forge,
    lateMs: TIMEOUT_S * 1000 + 300,
  });
  const report: ChaosReport = { name: language.name, calls: 0, mishaps: 0, faults: [] };
  const command = await language.prepare();
  let harness = await startWarm(command, proxy, server);

  try {
    for (let round = 0; round < rounds; round += 1) {
      try {
        const faults = await playRound(harness, proxy, server, random);
        report.faults.push(...faults.map((fault) => `round ${round}: ${fault}`));
      } catch (error) {
        report.faults.push(`round ${round}: ${String(error)} after ${proxy.fates.at(-1)?.fate}`);
        harness.kill();
        harness = await startWarm(command, proxy, server);
      }
      report.calls += proxy.fates.length;
      report.mishaps += proxy.fates.filter(({ fate }) => fate !== 'answered').length;
    }
    const exitCode = await harness.end();
    if (exitCode !== 0) report.faults.push(`its harness ended with ${String(exitCode)}`);
  } finally {
    harness.kill();
    await proxy.close();
  }
  return report;
}

/** Starts a harness and lets it get a key in peace: the first calls of a program that has just begun take longer. */
async function startWarm(command: string[], proxy: ChaosProxy, server: ReturnType<typeof createServer>) {
  const harness = startHarness(command);
  server.begin({ isRevoked: false });
  proxy.isWild = false;
  await proxy.comeBack();
  await harness.play({ site: proxy.origin, app: 'main', hwid: HWID, zone: ZONE, jwks: JWKS }, async () => {});
  return harness;
}

async function playRound(
  harness: ReturnType<typeof startHarness>,
  proxy: ChaosProxy,
  server: ReturnType<typeof createServer>,
  random: Random,
): Promise<string[]> {
  const faults: string[] = [];
  const serverNow = Date.now() / 1000;
  const clock = random.pick([0, 0, 0, 0, -2 * DAY_S, 2 * DAY_S]);
  const highWater = random.pick([0, Math.floor(serverNow) - 60]);
  const cachedKey = random.pick([undefined, server.cachedKeys()[0], random.pick(server.cachedKeys())]);
  server.begin({ isRevoked: random.int(2) === 0 });
  proxy.fates.length = 0;
  // In half of the rounds the first calls are answered, so that what the server says of a stored key is heard.
  proxy.isWild = random.int(2) === 0;
  await proxy.comeBack();

  const wildWaits = random.int(9);
  let waits = 0;
  let failures = 0;
  let isAway = false;
  let calmFor = -1;
  const told = await harness.play(
    {
      site: proxy.origin,
      app: 'main',
      hwid: HWID,
      zone: ZONE,
      timeout: TIMEOUT_S,
      clock,
      highWater,
      jwks: JWKS,
      ...(cachedKey && { cachedKey }),
    },
    async (seconds, soFar) => {
      waits += 1;
      const last = isAway ? 'refused' : (proxy.fates.at(-1)?.fate ?? '');
      const line = soFar.at(-2) ?? '';
      failures = line.startsWith('waiting steps') ? 0 : failures + 1;
      const { at = 0, retryAfter } = proxy.fates.at(-1) ?? {};
      const isSlow = Date.now() - at > SLOW_MS;
      const fault = judgeWait(line, seconds, { last, failures, isSlow, retryAfter, at });
      if (fault) faults.push(fault);

      if (calmFor >= 0) calmFor += seconds;
      else if (waits > wildWaits) {
        proxy.isWild = false;
        calmFor = 0;
      } else proxy.isWild = true;
      if (waits > 100) throw new Error('It waits for ever');

      await proxy.comeBack();
      isAway = proxy.isWild && random.int(10) === 0;
      if (isAway) await proxy.goAway();
    },
  );

  if (calmFor > CALM_S) faults.push(`no key within a minute of calm, but after ${calmFor} s`);
  const seen = Number(/high water (\S+)/.exec(told.at(-1) ?? '')?.[1]);
  if (seen < Math.max(highWater, 0)) faults.push('its high water fell');
  if (seen > Date.now() / 1000) faults.push('it believes a time that is not signed');
  faults.push(...(await judge(told, { proxy, server, cachedKey, clock, highWater })));
  return faults.map(
    (fault) => `${fault}: ${told.slice(-6).join(', ')} (${proxy.fates.map(({ fate }) => fate).join(', ')})`,
  );
}

interface Waited {
  last: string;
  failures: number;
  isSlow: boolean;
  retryAfter?: string | undefined;
  /** When the answer was written. */
  at: number;
}

/** The seconds that a Retry-After asks for, or 0. */
function secondsOf(retryAfter: string | undefined, at: number): number {
  if (/^\d{1,6}$/.test(retryAfter ?? '')) return Number(retryAfter);
  return /GMT$/.test(retryAfter ?? '') ? Math.max(0, (Date.parse(retryAfter ?? '') - at) / 1000) : 0;
}

function judgeWait(line: string, seconds: number, waited: Waited): string | undefined {
  const { last, failures, isSlow, retryAfter, at } = waited;
  const [word, reason = '', announced] = line.split(' ');
  if (word !== 'waiting' || Number(announced) !== seconds) return `it waits for ${seconds} s but says "${line}"`;

  const expected = REASONS[last] ?? 'answer';
  const isRight = reason === expected || ((isSlow || NETWORK_OR_ANSWER.includes(last)) && reason === 'network');
  if (!isRight) return `it waits for "${reason}" after "${last}"`;
  if (reason === 'steps') return seconds === 5 ? undefined : `it waits for ${seconds} s for steps`;

  const pause = PAUSES_S[Math.min(failures, PAUSES_S.length) - 1] ?? 0;
  const isPause = seconds >= pause && seconds <= pause * 1.2 + 0.01;
  const asked = reason === 'busy' ? secondsOf(retryAfter, at) : 0;
  const isAsked = Math.abs(seconds - Math.min(asked, 300)) < 1.5;
  return (asked < 1.5 && isPause) || (asked > 0 && isAsked)
    ? undefined
    : `it waits for ${seconds} s after ${failures} failures`;
}

interface Played {
  proxy: ChaosProxy;
  server: ReturnType<typeof createServer>;
  cachedKey: string | undefined;
  clock: number;
  highWater: number;
}

/** Whether the client believed what was true, and nothing else. */
async function judge(told: string[], { proxy, server, cachedKey, clock, highWater }: Played): Promise<string[]> {
  const faults: string[] = [];
  const said = (word: string) => told.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  const expect = (word: string, codes: string[]) => {
    const code = said(word);
    if (!code || !codes.includes(code)) faults.push(`"${word} ${code}" instead of ${codes.join(' or ')}`);
  };
  const raised = told.find((line) => /^(raised|refused) /.test(line));
  if (raised) return [raised];

  const now = Date.now() / 1000 + clock;
  const signedCode = server.isRevoked() ? 'REVOKED' : 'VALID';
  const firstAsk = proxy.fates.findIndex(({ path }) => path === '/api/key');
  const ended = Date.now();
  /** What came of the last check among some calls, and whether a client may have given it up. */
  const asked = (from: number, to: number) => {
    const at = proxy.fates.findLastIndex(({ path }, nth) => nth >= from && nth < to && path === '/api/key/verify');
    const check = proxy.fates[at];
    const isSlow = (proxy.fates[at + 1]?.at ?? ended) - (check?.at ?? 0) > SLOW_MS;
    return { fate: check?.fate, isForged: check?.forged !== undefined, isSlow };
  };

  let isOpen = false;
  if (cachedKey) {
    const { code } = await verifyKey({ key: cachedKey, hwid: HWID, app: 'main', jwks: JWKS, now, highWater });
    const online = asked(0, firstAsk < 0 ? Infinity : firstAsk);
    const isTold = code === 'VALID' && online.fate === 'answered';
    expect('open', [isTold ? signedCode : code, ...(online.isSlow ? [code] : [])]);
    if (told.includes('opened') !== (code === 'VALID')) faults.push(`opened by a key that is ${code}`);
    isOpen = said('open') === 'VALID';
  }
  if (isOpen) return faults;

  const last = proxy.fates.findLast(({ path }) => path === '/api/key');
  const { key = '' } = JSON.parse(last?.forged ?? server.keyAnswer()) as { key?: string };
  const check = { key, hwid: HWID, app: 'main', jwks: JWKS, now, highWater };
  expect('offline', [(await verifyKey(check)).code]);
  expect('offline elsewhere', [(await verifyKey({ ...check, hwid: 'another-device' })).code]);

  const online = asked(proxy.fates.lastIndexOf(last as never), Infinity);
  const code = online.fate === 'answered' ? server.checkedCode(key) : online.isForged ? 'UNTRUSTED' : 'NO_ANSWER';
  expect('online', [code, ...(online.isSlow ? ['NO_ANSWER'] : [])]);
  return faults;
}

/** A server with two steps, one device and one key. */
function createServer(random: Random) {
  let asked = 0;
  let revoked = false;
  let key = '';
  let lastVerdict = '';

  const verdictOn = (body: string, fields: object = {}, by = OURS.privateKey) => {
    const { nonce, key: checked, hwid } = JSON.parse(body) as Record<'nonce' | 'key' | 'hwid', string>;
    const code = checkedCode(checked);
    const claims = {
      v: 1,
      nonce,
      aud: 'main',
      sub: hashOf(`ks1|${hwid}`),
      key: hashOf(checked),
      code,
      exp: code === 'SIGNATURE' ? null : seconds() + DAY_S,
      iat: seconds(),
    };
    return signed('verdict+jws', { ...claims, ...fields }, by);
  };
  const checkedCode = (checked: string) =>
    checked === key || server.cachedKeys()[0] === checked ? (revoked ? 'REVOKED' : 'VALID') : 'SIGNATURE';
  /** The time of an answer is not signed, so any can be said. */
  const asAnswer = (fields: object) =>
    JSON.stringify({ app: 'main', now: random.pick([Date.now(), Date.now() + 900 * DAY_S * 1000]), ...fields });
  const keyAnswer = () => asAnswer({ status: 'active', key, expiresAt: Date.now() + DAY_S * 1000 });

  const cached = signed('key+jws', keyClaims(), OURS.privateKey);
  const server = {
    begin: ({ isRevoked }: { isRevoked: boolean }) => {
      asked = 0;
      revoked = isRevoked;
      key = signed('key+jws', keyClaims(), OURS.privateKey);
    },
    isRevoked: () => revoked,
    checkedCode,
    keyAnswer,

    /** Keys that an app may have stored. The first one is good. */
    cachedKeys: () => [cached, ...forgedKeys()],

    answer: (_method: string, { pathname }: URL, body: string) => {
      const headers = { 'content-type': 'application/json' };
      if (pathname === '/api/key/verify') {
        const { key: checked } = JSON.parse(body) as { key: string };
        const code = checkedCode(checked);
        return {
          status: 200,
          headers,
          body: asAnswer({ valid: code === 'VALID', code, expiresAt: null, verdict: verdictOn(body) }),
        };
      }
      asked += 1;
      if (asked === 1) return { status: 200, headers, body: asAnswer({ status: 'none' }) };
      if (asked <= 3)
        return { status: 200, headers, body: asAnswer({ status: 'in_progress', step: asked - 1, of: 2 }) };
      return { status: 200, headers, body: keyAnswer() };
    },

    forge: (path: string, _genuine: unknown, body: string) => {
      if (path === '/api/key')
        return forgedKeys().map((forged) => ({
          name: 'a forged key',
          body: asAnswer({ status: 'active', key: forged, expiresAt: Date.now() + DAY_S * 1000 }),
        }));

      const earlier = lastVerdict;
      lastVerdict = verdictOn(body, { code: 'VALID' });
      const yes = { valid: true, code: 'VALID', expiresAt: Date.now() + DAY_S * 1000 };
      return [
        undefined,
        null,
        5,
        'VALID',
        earlier,
        verdictOn(body, { code: 'VALID', nonce: random.base64url(32) }),
        verdictOn(body, { code: 'VALID', sub: hashOf(`ks1|${ELSEWHERE}`) }),
        verdictOn(body, { code: 'VALID', aud: 'companion' }),
        verdictOn(body, { code: 'VALID', key: hashOf('another') }),
        verdictOn(body, { code: 'VALID' }, THEIRS.privateKey),
        `${verdictOn(body, { code: 'VALID' }).split('.').slice(0, 2).join('.')}.`,
      ].map((verdict) => ({ name: 'a forged verdict', body: asAnswer({ ...yes, verdict }) }));
    },
  };
  return server;
}

function forgedKeys(): string[] {
  const good = signed('key+jws', keyClaims(), OURS.privateKey);
  const [header = '', payload = '', signature = ''] = good.split('.');
  return [
    signed('key+jws', keyClaims(), THEIRS.privateKey),
    signed('key+jws', keyClaims(), THEIRS.privateKey, 'theirs'),
    signed('key+jws', { ...keyClaims(), sub: hashOf(`ks1|${ELSEWHERE}`) }, OURS.privateKey),
    signed('key+jws', { ...keyClaims(), aud: 'companion' }, OURS.privateKey),
    signed('key+jws', { ...keyClaims(), exp: seconds() - 10 }, OURS.privateKey),
    signed('verdict+jws', keyClaims(), OURS.privateKey),
    `${header}.${payload}.`,
    `${header}.${encode({ ...keyClaims(), exp: seconds() + 900 * DAY_S })}.${signature}`,
    `${'W'.repeat(20_000)}.${payload}.${signature}`,
    'x',
  ];
}

function keyClaims() {
  const iat = seconds() - 30;
  return {
    iss: 'https://example.com',
    aud: 'main',
    sub: hashOf(`ks1|${HWID}`),
    jti: randomUUID(),
    iat,
    nbf: iat,
    exp: iat + DAY_S,
    src: 'ads',
    v: 1,
  };
}

function signed(typ: string, claims: object, by: KeyObject, kid = 'ours'): string {
  const text = `${encode({ alg: 'EdDSA', kid, typ })}.${encode(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), by).toString('base64url')}`;
}

function jwkOf(publicKey: KeyObject, kid: string) {
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const seconds = () => Math.floor(Date.now() / 1000);
