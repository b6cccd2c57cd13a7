import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { verifyKey } from '../../samples/typescript/verify-key.mjs';
import { createRandom, type Random } from '../attack/world/random.ts';
import { openFaultyServer, type Call } from './faults.ts';
import { startHarness } from './harness.ts';
import type { SampleLanguage } from './languages.ts';

const HWID = 'device-1234';
const OTHER_HWID = 'another-device';
const DAY_S = 24 * 60 * 60;

/** How long a call may take. Short, because a test waits for the late ones; long enough for a busy machine. */
const TIMEOUT_S = 1;
/** After so long a client that a busy machine kept waiting may have given up a call that was answered. */
const SLOW_MS = TIMEOUT_S * 500;
/** The most that may pass between the first call on a calm way and the key, by the clock of the client's pauses. */
const QUIET_S = 60;
/** The pauses after failures. Up to a fifth is added. */
const BACKOFF_S = [5, 10, 20, 40, 60];

const OWN_KEYS = generateKeyPairSync('ed25519');
const FOREIGN_KEYS = generateKeyPairSync('ed25519');
const { x = '' } = OWN_KEYS.publicKey.export({ format: 'jwk' });
const JWKS = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'ours', alg: 'EdDSA', use: 'sig' }] };

type FaultyServer = Awaited<ReturnType<typeof openFaultyServer>>;

export interface ChaosReport {
  name: string;
  /** How many calls reached the server, and how many of them were not answered. */
  calls: number;
  failed: number;
  /** What the client did wrong, with the seed's round. */
  wrongs: string[];
}

/** Lets a client ask for its key again and again while everything goes wrong that can, and judges what it did. */
export async function playChaos(
  language: SampleLanguage,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<ChaosReport> {
  const random = createRandom(seed).fork(language.name);
  const site = createSite(random);
  const server = await openFaultyServer({ ...site, random, lateMs: TIMEOUT_S * 1000 + 300 });
  const report: ChaosReport = { name: language.name, calls: 0, failed: 0, wrongs: [] };
  const command = await language.prepare();
  /** Starts a harness and lets it get a key in peace: the first calls of a program that has just begun take longer. */
  const startWarm = async () => {
    const started = startHarness(command);
    site.begin({ isRevoked: false });
    server.isWild = false;
    await server.comeBack();
    await started.play({ site: server.origin(), app: 'main', hwid: HWID, zone: 'zone-1', jwks: JWKS }, async () => {});
    return started;
  };
  let harness = await startWarm();

  try {
    for (let round = 0; round < rounds; round += 1) {
      try {
        const wrongs = await playRound(harness, server, site, random);
        report.wrongs.push(...wrongs.map((wrong) => `round ${round}: ${wrong}`));
      } catch (error) {
        report.wrongs.push(`round ${round}: ${String(error)} after ${server.calls.at(-1)?.outcome}`);
        harness.kill();
        harness = await startWarm();
      }
      report.calls += server.calls.length;
      report.failed += server.calls.filter(({ outcome }) => outcome !== 'answered').length;
    }
    const exitCode = await harness.end();
    if (exitCode !== 0) report.wrongs.push(`its harness ended with ${String(exitCode)}`);
  } finally {
    harness.kill();
    await server.goAway();
  }
  return report;
}

async function playRound(
  harness: ReturnType<typeof startHarness>,
  server: FaultyServer,
  site: ReturnType<typeof createSite>,
  random: Random,
): Promise<string[]> {
  const wrongs: string[] = [];
  const clock = random.pick([0, 0, 0, 0, -2 * DAY_S, 2 * DAY_S]);
  const highWater = random.pick([0, seconds() - 60]);
  const cachedKey = random.pick([undefined, site.stored, random.pick(forgedKeys())]);
  site.begin({ isRevoked: random.int(2) === 0 });
  server.calls.length = 0;
  // In half of the rounds the first calls are answered, so that what the server says of a stored key is heard.
  server.isWild = random.int(2) === 0;
  await server.comeBack();

  const wildWaits = random.int(9);
  let waits = 0;
  let failures = 0;
  let isAway = false;
  let calmFor = -1;
  const round = { site: server.origin(), app: 'main', hwid: HWID, zone: 'zone-1', timeout: TIMEOUT_S, jwks: JWKS };
  const told = await harness.play(
    { ...round, clock, highWater, ...(cachedKey && { cachedKey }) },
    async (pause, soFar) => {
      const line = soFar.at(-2) ?? '';
      failures = line.startsWith('waiting steps') ? 0 : failures + 1;
      const wrong = judgeWait(line, pause, failures, isAway ? undefined : server.calls.at(-1));
      if (wrong) wrongs.push(wrong);

      waits += 1;
      if (waits > 100) throw new Error('It waits for ever');
      if (calmFor >= 0) calmFor += pause;
      else if (waits > wildWaits) calmFor = 0;
      server.isWild = calmFor < 0;

      await server.comeBack();
      isAway = server.isWild && random.int(10) === 0;
      if (isAway) await server.goAway();
    },
  );

  if (calmFor > QUIET_S) wrongs.push(`no key within a minute of calm, but after ${calmFor} s`);
  const seen = Number(/high water (\S+)/.exec(told.at(-1) ?? '')?.[1]);
  if (seen < highWater) wrongs.push('its high water fell');
  if (seen > Date.now() / 1000) wrongs.push('it believes a time that is not signed');
  wrongs.push(...(await judge(told, server.calls, site, { cachedKey, now: Date.now() / 1000 + clock, highWater })));
  const outcomes = server.calls.map(({ outcome }) => outcome).join();
  return wrongs.map((wrong) => `${wrong}: ${told.slice(-6).join(', ')} (${outcomes})`);
}

/** @param last the call that it waits after; undefined where the server was away */
function judgeWait(line: string, pause: number, failures: number, last: Call | undefined): string | undefined {
  const [word, reason = '', announced] = line.split(' ');
  if (word !== 'waiting' || Number(announced) !== pause) return `it waits for ${pause} s but says "${line}"`;

  const { outcome = 'refused', reasons = ['network'], at = 0, retryAfter = '' } = last ?? {};
  const isSlow = Date.now() - at > SLOW_MS;
  if (!reasons.includes(reason) && !(isSlow && reason === 'network'))
    return `it waits for "${reason}" after "${outcome}"`;
  if (reason === 'steps') return pause === 5 ? undefined : `it waits for ${pause} s for steps`;

  const usual = BACKOFF_S[Math.min(failures, BACKOFF_S.length) - 1] ?? 0;
  const isUsual = pause >= usual && pause <= usual * 1.2 + 0.01;
  const date = /GMT$/.test(retryAfter) ? (Date.parse(retryAfter) - at) / 1000 : 0;
  const asked = reason === 'busy' ? (/^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : Math.max(0, date)) : 0;
  const isAsked = asked > 0 && Math.abs(pause - Math.min(asked, 300)) < 1.5;
  return isAsked || (asked < 1.5 && isUsual) ? undefined : `it waits for ${pause} s after ${failures} failures`;
}

/** Whether the client believed what was true, and nothing else. */
async function judge(
  told: readonly string[],
  calls: readonly Call[],
  site: ReturnType<typeof createSite>,
  { cachedKey, ...given }: { cachedKey: string | undefined; now: number; highWater: number },
): Promise<string[]> {
  const raised = told.find((line) => /^(raised|refused) /.test(line));
  if (raised) return [raised];

  const wrongs: string[] = [];
  const said = (word: string) => told.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  const expect = (word: string, ...codes: string[]) => {
    const code = said(word) ?? '';
    if (!codes.includes(code)) wrongs.push(`"${word} ${code}" instead of ${codes.join(' or ')}`);
  };
  const offline = async (key: string, hwid = HWID) =>
    (await verifyKey({ ...given, key, hwid, app: 'main', jwks: JWKS })).code;
  /** The last check among some calls, and whether a client may have given it up. */
  const lastCheck = (from: number, to: number) => {
    const nth = calls.findLastIndex(({ path }, at) => at >= from && at < to && path === '/api/key/verify');
    const isSlow = (calls[nth + 1]?.at ?? Date.now()) - (calls[nth]?.at ?? 0) > SLOW_MS;
    return { outcome: calls[nth]?.outcome, isForged: calls[nth]?.forged !== undefined, isSlow };
  };

  const firstAsk = calls.findIndex(({ path }) => path === '/api/key');
  if (cachedKey) {
    const code = await offline(cachedKey);
    const check = lastCheck(0, firstAsk < 0 ? Infinity : firstAsk);
    const isTold = code === 'VALID' && check.outcome === 'answered';
    expect('open', isTold ? site.codeOf(cachedKey) : code, ...(check.isSlow ? [code] : []));
    if (told.includes('opened') !== (code === 'VALID')) wrongs.push(`opened by a key that is ${code}`);
  }
  if (said('open') === 'VALID') return wrongs;

  const last = calls.findLastIndex(({ path }) => path === '/api/key');
  const { key = '' } = JSON.parse(calls[last]?.forged ?? site.keyAnswer()) as { key?: string };
  expect('offline', await offline(key));
  expect('offline elsewhere', await offline(key, OTHER_HWID));
  const check = lastCheck(last, Infinity);
  const code = check.outcome === 'answered' ? site.codeOf(key) : check.isForged ? 'UNTRUSTED' : 'NO_ANSWER';
  expect('online', code, ...(check.isSlow ? ['NO_ANSWER'] : []));
  return wrongs;
}

/** What a site with two steps, one device and one key says, and what others say in its name. */
function createSite(random: Random) {
  const stored = signed('key+jws', keyClaims());
  let key = '';
  let asked = 0;
  let isRevoked = false;
  let earlier = '';

  const codeOf = (checked: string) =>
    checked !== key && checked !== stored ? 'SIGNATURE' : isRevoked ? 'REVOKED' : 'VALID';
  /** The time of an answer is not signed, so any can be said. */
  const asAnswer = (fields: object) =>
    JSON.stringify({ app: 'main', now: random.pick([Date.now(), Date.now() + 900 * DAY_S * 1000]), ...fields });
  const activeWith = (given: string) =>
    asAnswer({ status: 'active', key: given, expiresAt: Date.now() + DAY_S * 1000 });
  const keyAnswer = () => activeWith(key);

  function verdictOn(body: string, changes: object = {}, by = OWN_KEYS.privateKey): string {
    const { nonce, key: checked, hwid } = JSON.parse(body) as Record<'nonce' | 'key' | 'hwid', string>;
    const code = codeOf(checked);
    const exp = code === 'SIGNATURE' ? null : seconds() + DAY_S;
    const about = { v: 1, nonce, aud: 'main', sub: subjectOf(hwid), key: hashOf(checked) };
    return signed('verdict+jws', { ...about, code, exp, iat: seconds(), ...changes }, by);
  }

  return {
    /** A good key, which an app may have stored. */
    stored,
    codeOf,
    keyAnswer,

    begin(how: { isRevoked: boolean }): void {
      asked = 0;
      ({ isRevoked } = how);
      key = signed('key+jws', keyClaims());
    },

    answer(path: string, body: string): string {
      if (path === '/api/key/verify') {
        const code = codeOf((JSON.parse(body) as { key: string }).key);
        return asAnswer({ valid: code === 'VALID', code, expiresAt: null, verdict: verdictOn(body) });
      }
      asked += 1;
      if (asked === 1) return asAnswer({ status: 'none' });
      return asked <= 3 ? asAnswer({ status: 'in_progress', step: asked - 1, of: 2 }) : keyAnswer();
    },

    forge(path: string, body: string): string[] {
      if (path === '/api/key') return forgedKeys().map(activeWith);

      const before = earlier;
      earlier = verdictOn(body, { code: 'VALID' });
      const verdicts = [undefined, null, 5, 'VALID', before, earlier.slice(0, earlier.lastIndexOf('.') + 1)];
      const changes = [
        { nonce: random.base64url(32) },
        { sub: subjectOf(OTHER_HWID) },
        { aud: 'companion' },
        { key: hashOf('another') },
      ].map((change) => verdictOn(body, { code: 'VALID', ...change }));
      return [...verdicts, ...changes, verdictOn(body, { code: 'VALID' }, FOREIGN_KEYS.privateKey)].map((verdict) =>
        asAnswer({ valid: true, code: 'VALID', expiresAt: Date.now() + DAY_S * 1000, verdict }),
      );
    },
  };
}

function forgedKeys(): string[] {
  const [header = '', payload = '', signature = ''] = signed('key+jws', keyClaims()).split('.');
  return [
    signed('key+jws', keyClaims(), FOREIGN_KEYS.privateKey),
    signed('key+jws', keyClaims(), FOREIGN_KEYS.privateKey, 'theirs'),
    signed('key+jws', { ...keyClaims(), sub: subjectOf(OTHER_HWID) }),
    signed('key+jws', { ...keyClaims(), aud: 'companion' }),
    signed('key+jws', { ...keyClaims(), exp: seconds() - 10 }),
    signed('verdict+jws', keyClaims()),
    `${header}.${payload}.`,
    `${header}.${encode({ ...keyClaims(), exp: seconds() + 900 * DAY_S })}.${signature}`,
    `${'W'.repeat(20_000)}.${payload}.${signature}`,
    'x',
  ];
}

function keyClaims() {
  const iat = seconds() - 30;
  const whose = { iss: 'https://example.com', aud: 'main', sub: subjectOf(HWID), jti: randomUUID() };
  return { ...whose, iat, nbf: iat, exp: iat + DAY_S, src: 'ads', v: 1 };
}

function signed(typ: string, claims: object, by: KeyObject = OWN_KEYS.privateKey, kid = 'ours'): string {
  const text = `${encode({ alg: 'EdDSA', kid, typ })}.${encode(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), by).toString('base64url')}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const subjectOf = (hwid: string) => hashOf(`ks1|${hwid}`);
const seconds = () => Math.floor(Date.now() / 1000);
