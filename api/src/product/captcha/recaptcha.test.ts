import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createCallProvider } from '#api/foundation/http/call-provider.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { findDeadOrigin, listen } from '#api/test/listen.ts';
import { handIn, HWID, clickComplete } from '#api/test/product/visitor-steps.ts';
import type { RecaptchaAccount } from './recaptcha.ts';

const ACCOUNT = { siteKey: 'site-key', secret: 'the-secret', hostnames: ['site.example', 'www.site.example'] };
const SOLVED = 'token-of-a-solved-captcha';
const TWO_MINUTES = 2 * 60_000;

/** Plays Google: knows one token, and never says that a token was used, so the server has to notice it. */
function playGoogle(verdict: object = {}): RequestListener {
  return (req, res) => void answer(req, res);

  async function answer(...[req, res]: Parameters<RequestListener>) {
    const asked = new URLSearchParams(await text(req));
    const isKnown =
      req.method === 'POST' && req.url === '/recaptcha/api/siteverify' && asked.get('secret') === ACCOUNT.secret;
    const reply = !isKnown
      ? { success: false, 'error-codes': ['invalid-input-secret'] }
      : asked.get('response') === SOLVED
        ? { success: true, challenge_ts: new Date().toISOString(), hostname: 'site.example', ...verdict }
        : { success: false, 'error-codes': ['invalid-input-response'] };
    res.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(reply));
  }
}

function sayAlways(body: string, status = 200): RequestListener {
  return (_req, res) => res.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

interface Options {
  account?: Partial<RecaptchaAccount>;
  db?: TestApi['db'];
  /**
   * How long Google may take, in milliseconds, in tests that wait for it. By default long enough for PGlite, which can
   * block this process for a second.
   */
  timeoutMs?: number;
}

/** The API with reCAPTCHA as its captcha, and a local server in place of Google. */
async function createApiWith(google: RequestListener | string, { account = {}, db, ...timeouts }: Options = {}) {
  const origin = typeof google === 'string' ? google : await listen(google);

  return createTestApi({
    ...(db && { db }),
    recaptcha: { ...ACCOUNT, origin, ...account },
    callProvider: createCallProvider(timeouts),
  });
}

async function verify(api: TestApi, token = SOLVED, hwid = HWID): Promise<[number, string]> {
  const res = await api.post('/api/v2/verify-captcha', {
    'g-recaptcha-response': token,
    hwid,
    OS: 'android',
    advertiser: 'rinku',
  });
  return [res.status, await res.text()];
}

async function countPasses({ db }: TestApi): Promise<number> {
  return (await db.selectFrom('captchaPass').selectAll().execute()).length;
}

test('a token that Google vouches for is a pass, which opens one run', async () => {
  const api = await createApiWith(playGoogle());

  expect(await verify(api)).toEqual([200, 'true']);
  expect(await api.db.selectFrom('captchaPass').select('provider').execute()).toEqual([{ provider: 'recaptcha' }]);
  expect(await clickComplete(api)).toContain('/dev/advertiser/');
});

test.each([429, 502, 503])('what Google declines with %i is asked again', async (status) => {
  const google = playGoogle();
  let declines = 2;
  const api = await createApiWith((req, res) => (declines-- > 0 ? res.writeHead(status).end() : google(req, res)));

  expect(await verify(api)).toEqual([200, 'true']);
});

test('with reCAPTCHA there is no challenge of ours', async () => {
  const api = await createApiWith(playGoogle());

  const res = await api.ask(`/api/captcha/challenge?hwid=${HWID}&os=ios`);

  expect([res.status, await res.json()]).toMatchObject([
    404,
    { code: 'route.not_found', detail: 'The captcha of this site brings its own puzzles.' },
  ]);
});

test.each([
  { why: 'that Google does not know', token: 'made-up', verdict: {} },
  { why: 'solved on another site', token: SOLVED, verdict: { hostname: 'evil.example' } },
  { why: 'solved on a site that ends like ours', token: SOLVED, verdict: { hostname: 'evil-site.example' } },
  { why: 'solved in an Android app', token: SOLVED, verdict: { hostname: '', apk_package_name: 'site.example' } },
  {
    why: 'solved more than two minutes ago',
    token: SOLVED,
    verdict: { challenge_ts: new Date(Date.now() - TWO_MINUTES - 5000).toISOString() },
  },
  {
    why: 'solved in times to come',
    token: SOLVED,
    verdict: { challenge_ts: new Date(Date.now() + TWO_MINUTES + 60_000).toISOString() },
  },
])('a token $why is answered 200 and "false"', async ({ token, verdict }) => {
  const api = await createApiWith(playGoogle(verdict));

  expect(await verify(api, token)).toEqual([200, 'false']);
  expect(await countPasses(api)).toBe(0);
});

test.each(['timeout-or-duplicate', 'missing-input-response'])(
  'what Google calls %s is no pass, and the token’s fault alone',
  async (code) => {
    const api = await createApiWith(sayAlways(JSON.stringify({ success: false, 'error-codes': [code] })));

    expect(await verify(api)).toEqual([200, 'false']);
  },
);

test.each([
  { why: 'is down', google: sayAlways('Bad Gateway', 502) },
  { why: 'is silent', google: () => undefined },
  { why: 'sends us elsewhere', google: sayAlways('', 302) },
  { why: 'answers in HTML', google: sayAlways('<html>true</html>') },
  { why: 'says true in a text', google: sayAlways('"true"') },
  { why: 'says success in a text', google: sayAlways('{"success":"true"}') },
  { why: 'tells no time', google: sayAlways('{"success":true,"hostname":"site.example"}') },
  {
    why: 'tells a time that is none',
    google: sayAlways('{"success":true,"hostname":"site.example","challenge_ts":"now"}'),
  },
  { why: 'says too much', google: sayAlways(`{"success":true${' '.repeat(20_000)}}`) },
  { why: 'does not take our secret', google: sayAlways('{"success":false,"error-codes":["invalid-input-secret"]}') },
] satisfies { why: string; google: RequestListener }[])(
  'threat 12: when Google $why, no visitor passes and none is blamed',
  async ({ google }) => {
    const api = await createApiWith(google, { timeoutMs: 200 });

    expect(await verify(api)).toEqual([503, 'error']);
    expect(await countPasses(api)).toBe(0);
    expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
    expect(api.logged.join('')).toContain('provider unavailable');
  },
);

test('threat 12: when Google cannot be reached, no visitor passes, and a visitor can try again with the same token', async () => {
  const api = await createApiWith(await findDeadOrigin());

  expect(await verify(api)).toEqual([503, 'error']);
});

test('while it is unknown whether a captcha is solved, the answer says when to try again', async () => {
  const api = await createApiWith(await findDeadOrigin());
  const res = await api.post('/api/v2/verify-captcha', {
    'g-recaptcha-response': SOLVED,
    hwid: HWID,
    OS: 'android',
    advertiser: 'rinku',
  });

  expect([res.status, res.headers.get('retry-after')]).toEqual([503, '5']);
});

test('neither secret nor token is logged', async () => {
  const api = await createApiWith(sayAlways('{"success":false,"error-codes":["invalid-input-secret"]}'));
  await verify(api);

  expect(api.logged.join('')).not.toMatch(new RegExp(`${ACCOUNT.secret}|${SOLVED}`));
});

describeEachDatabase('a token of reCAPTCHA', (db) => {
  test('threat 18: handed in four times at once, it gives one pass', async () => {
    const api = await createApiWith(playGoogle(), { db: db() });

    const replies = await Promise.all([1, 2, 3, 4].map(() => handIn(api, SOLVED)));

    expect(replies.sort()).toEqual(['false', 'false', 'false', 'true']);
    expect(await countPasses(api)).toBe(1);
  });

  test('threat 18: used for one device, it is worth nothing to another', async () => {
    const api = await createApiWith(playGoogle(), { db: db() });

    expect(await verify(api)).toEqual([200, 'true']);
    expect(await verify(api, SOLVED, 'device-5678')).toEqual([200, 'false']);
  });

  test('threat 18: it is worth nothing two minutes after it was solved', async () => {
    const api = await createApiWith(playGoogle(), { db: db() });
    api.pass(TWO_MINUTES + 5000);

    expect(await verify(api)).toEqual([200, 'false']);
  });
});

describe('the pages’ policy', () => {
  test('lets reCAPTCHA’s script and frame in where it is the captcha of the site, and only there', async () => {
    const withIt = await policyOf(await createApiWith(playGoogle(), { account: { origin: 'https://www.google.com' } }));
    const without = await policyOf(await createTestApi());

    expect(withIt).toMatch(
      /script-src 'self'(?: 'sha256-\S+')+ https:\/\/www\.google\.com\/recaptcha\/ https:\/\/www\.gstatic\.com\/recaptcha\/;/,
    );
    expect(withIt).toMatch(
      /frame-src [^;]* https:\/\/www\.google\.com\/recaptcha\/ https:\/\/recaptcha\.google\.com\/recaptcha\/;/,
    );
    expect(without).toMatch(/script-src 'self'(?: 'sha256-\S+')+;/);
    expect(without).not.toMatch(/google|gstatic/);
  });
});

async function policyOf(api: TestApi): Promise<string> {
  return (await api.ask('/healthz')).headers.get('content-security-policy') ?? '';
}
