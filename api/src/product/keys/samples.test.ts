import type { RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { signKey } from '#api/product/keys/key-token.ts';
import { signVerdict } from '#api/product/keys/verdict-token.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { listen } from '#api/test/listen.ts';
import { HWID, passCaptcha, clickComplete, walkStep, ZONE } from '#api/test/product/visitor-steps.ts';
import { startHarness } from '../../../../tools/samples/harness.ts';
import { SAMPLE_LANGUAGES } from '../../../../tools/samples/languages.ts';

describe.each(SAMPLE_LANGUAGES)('the sample in $name', ({ prepare }) => {
  let harness: ReturnType<typeof startHarness>;
  beforeAll(async () => {
    harness = startHarness(await prepare());
  });
  afterAll(async () => {
    expect(await harness.end()).toBe(0);
  });

  test('the sample opens the page, waits for the key step by step, and verifies it with the published keys', async () => {
    const api = await createTestApi(HOLDS_NONE);

    const told = await harness.play({ site: api.origin, app: 'main', hwid: HWID, zone: ZONE }, walkOn(api, 'main'));

    expect(told[0]).toBe(`link ${api.origin}/key-system-1?hwid=${HWID}&zone=${ZONE}`);
    expect(told.filter((line) => !/^wait(ing steps)? 5$/.test(line)).slice(1)).toEqual([
      'answer none',
      ...[1, 2, 3, 4, 5, 6].map((step) => `answer in_progress ${step}`),
      'answer active',
      'offline VALID',
      'offline elsewhere DEVICE_MISMATCH',
      'online VALID',
      expect.stringMatching(/^high water /),
    ]);
    // That of the verdict, which has whole seconds.
    expect(newestIatOf(told)).toBe(Math.floor(api.now() / 1000));
  });

  test('the sample of the companion names its app, so that the run leads to a key for it until the key is revoked', async () => {
    const api = await createTestApi(HOLDS_NONE);
    const round = { site: api.origin, app: 'companion', hwid: HWID, zone: ZONE };

    const told = await harness.play(round, walkOn(api, 'companion'));

    expect(told[0]).toBe(`link ${api.origin}/rosaverx/key-system-1?hwid=${HWID}&zone=${ZONE}`);
    expect(told).toContain('online VALID');

    const { jws: cachedKey } = await api.db.selectFrom('accessKey').select('jws').executeTakeFirstOrThrow();
    expect(await harness.play({ ...round, cachedKey }, noWait)).toEqual(
      expect.arrayContaining(['opened', 'open VALID']),
    );

    await api.db.updateTable('accessKey').set({ revokedAt: api.now() }).execute();
    const withdrawn = await harness.play({ ...round, cachedKey }, walkOn(api, 'companion'));
    expect(withdrawn.slice(1, 3)).toEqual(['opened', 'open REVOKED']);
  });

  test('the sample opens the page of a registered app and does not wait for an unregistered one', async () => {
    const api = await createTestApi();
    const round = { site: api.origin, hwid: HWID, zone: ZONE };

    const told = await harness.play({ ...round, app: 'nobody' }, noWait);

    expect(told).toEqual([
      `link ${api.origin}/apps/key-system-1?app=nobody&hwid=${HWID}&zone=${ZONE}`,
      'refused KS_APP',
    ]);
  });

  test('the sample reports why the server rejected its request', async () => {
    const api = await createTestApi();

    const told = await harness.play({ site: api.origin, app: 'main', hwid: 'undefined', zone: ZONE }, noWait);

    expect(told.slice(1)).toEqual(['refused KS_HWID']);
  });

  test('the sample waits as long as Retry-After of a busy server says, in seconds or as a date, and at most five minutes', async () => {
    const pauses = [
      { 'retry-after': '7' },
      { 'retry-after': 'Sun, 01 Mar 2026 00:00:30 GMT', date: 'Sat, 28 Feb 2026 23:59:00 GMT' },
      { 'retry-after': '3600' },
    ];
    const busy: RequestListener = (_req, res) => {
      const pause = pauses.shift();
      if (!pause) return answerBlocked(res, 1000);
      res.writeHead(503, pause).end('{}');
    };

    const site = await listen(busy);
    const told = await harness.play({ site, app: 'main', hwid: HWID, zone: ZONE, jwks: { keys: [] } }, noWait);

    const waits = [7, 90, 300].flatMap((seconds) => [`waiting busy ${seconds}`, `wait ${seconds}`]);
    expect(told.slice(1, 8).map((line) => line.replace(/\.0$/, ''))).toEqual([...waits, 'answer blocked']);
    expect(newestIatOf(told)).toBe(0);
  });

  test('threat 22: the sample does not lock an app because of an unsigned time', async () => {
    const liar: RequestListener = (req, res) => {
      const said = req.url?.startsWith('/api/key/verify')
        ? { valid: true, code: 'VALID', expiresAt: null, verdict: 'a.b.c' }
        : { status: 'none', reason: 'zone' };
      res.end(JSON.stringify({ ...said, app: 'main', now: LATE_SECONDS * 1000 }));
    };
    const { key: cachedKey, iat } = await makeKey();
    const round = { site: await listen(liar), app: 'main', hwid: HWID, zone: ZONE, jwks: JWKS };

    expect(newestIatOf(await harness.play(round, noWait))).toBe(0);
    const opened = await harness.play({ ...round, cachedKey }, noWait);
    expect(opened.slice(1, 3)).toEqual(['opened', 'open VALID']);
    expect(newestIatOf(opened)).toBe(iat);
  });

  test.each([
    { what: 'the time of the server', at: (iat: number) => iat + 60, raises: (iat: number) => iat + 60 },
    {
      what: 'never a time after the end of its key',
      at: () => LATE_SECONDS,
      raises: (_iat: number, exp: number) => exp,
    },
  ])('threat 22: a signed verdict reports $what', async ({ at, raises }) => {
    const { key: cachedKey, iat, exp } = await makeKey();
    const site = await listen((req, res) => {
      void json(req).then(async (asked) => {
        const found = { code: 'VALID', expiresAt: exp * 1000, at: at(iat) * 1000 } as const;
        const verdict = await signVerdict(OURS, { ...(asked as Asked), ...found });
        res.end(JSON.stringify({ valid: true, ...found, app: 'main', now: 1, verdict }));
      });
    });

    const told = await harness.play({ site, app: 'main', hwid: HWID, zone: ZONE, jwks: JWKS, cachedKey }, noWait);

    expect(told.slice(1, 3)).toEqual(['opened', 'open VALID']);
    expect(newestIatOf(told)).toBe(raises(iat, exp));
  });

  test.each(['request.invalid', 'request.version', 'KS_ZONE'])(
    'the sample does not wait for a server that rejects with %s',
    async (code) => {
      const problem = { type: `https://site.example/errors#${code}`, title: 'No', status: 400, code, now: 1 };
      const site = await listen((_req, res) => void res.writeHead(400).end(JSON.stringify(problem)));
      const told = await harness.play({ site, app: 'main', hwid: HWID, zone: ZONE, jwks: { keys: [] } }, noWait);

      expect(told.slice(1)).toEqual([`refused ${code}`]);
    },
  );

  test('the sample lets the server hold its calls after the first, and asks again at once where it was held', async () => {
    const preferred: unknown[] = [];
    const running = { status: 'in_progress', step: 2, of: 6, app: 'main', now: 1000 };
    const site = await listen((req, res) => {
      preferred.push(req.headers.prefer ?? 'wait=0');
      if (preferred.length > 3) return answerBlocked(res, 1000);
      if (preferred.length === 3) res.setHeader('Preference-Applied', 'wait');
      // Longer than a call may take that is not held.
      setTimeout(() => res.end(JSON.stringify(running)), preferred.length === 3 ? 1200 : 0);
    });
    const round = { site, app: 'main', hwid: HWID, zone: ZONE, timeout: 1, jwks: { keys: [] } };
    const told = await harness.play(round, noWait);

    expect(preferred.map(String)).toEqual(['wait=0', 'wait=25', 'wait=25', 'wait=25']);
    expect(told.filter((line) => line.startsWith('waiting')).map((line) => line.replace(/\.0$/, ''))).toEqual([
      'waiting steps 5',
      'waiting steps 5',
      'waiting steps 0',
    ]);
  });

  test('the sample stops waiting for a key that was earned in another zone', async () => {
    const answer = { status: 'none', reason: 'zone', app: 'main', now: 1000 };
    const site = await listen((_req, res) => void res.end(JSON.stringify(answer)));
    const told = await harness.play({ site, app: 'main', hwid: HWID, zone: ZONE, jwks: { keys: [] } }, noWait);

    expect(told.slice(1)).toEqual(['answer none', expect.stringMatching(/^high water /)]);
  });

  test('the sample accepts a status only with its documented HTTP status', async () => {
    const statuses = [201, 200, 404];
    const site = await listen((_req, res) => answerBlocked(res, 1000, statuses.shift()));
    const told = await harness.play({ site, app: 'main', hwid: HWID, zone: ZONE, jwks: { keys: [] } }, noWait);

    expect(told.filter((line) => !line.startsWith('wait ')).map((line) => line.split(' ', 2).join(' '))).toEqual([
      expect.stringMatching(/^link /),
      ...Array<string>(3).fill('waiting answer'),
      'answer blocked',
      'high water',
    ]);
  });

  test('the sample counts a Retry-After date from its own clock when the response has no date', async () => {
    let isBusy = true;
    const site = await listen((_req, res) => {
      if (!isBusy) return answerBlocked(res, 1000);
      isBusy = false;
      res.sendDate = false;
      res.writeHead(503, { 'retry-after': new Date(Date.now() + 200_000).toUTCString() }).end('{}');
    });
    const told = await harness.play({ site, app: 'main', hwid: HWID, zone: ZONE, jwks: { keys: [] } }, noWait);

    // A clock of whole seconds may turn some milliseconds later than ours.
    expect(Number(told[2]?.replace('wait ', ''))).toSatisfy((seconds) => seconds > 190 && seconds <= 201);
  });
});

function answerBlocked(res: ServerResponse, now: number, httpStatus = 403): void {
  res
    .writeHead(httpStatus)
    .end(JSON.stringify({ status: 'blocked', until: null, reason: 'KS_BLOCKED', app: 'main', now }));
}

const OURS = readSigningKey(generateSigningKey('ours'));
const JWKS = { keys: [OURS.publicJwk] };

/** The year 2099, in seconds. */
const LATE_SECONDS = 4_070_908_800;

type Asked = Record<'key' | 'hwid' | 'nonce', string> & { app: 'main' };

/** A key that was signed two minutes ago. */
async function makeKey() {
  const iat = Math.floor(Date.now() / 1000) - 120;
  const exp = iat + 3600;
  const claims = { aud: 'main', sub: keySubject(HWID), jti: randomId(), iat, nbf: iat, exp, src: 'ads', v: 1 } as const;
  return { key: await signKey(OURS, { iss: 'https://site.example', ...claims }), iat, exp };
}

/** What a client told last, in seconds. */
function newestIatOf(told: string[]): number {
  return Number(told.at(-1)?.replace('high water ', ''));
}

/** The app waits in turns with the visitor. */
const HOLDS_NONE = { limits: { ...DEFAULT_LIMITS, heldRequests: 0 } };

const noWait = () => Promise.resolve();

/**
 * A visitor who does one thing each time the app waits: first the captcha and the first step start, then a step each
 * time.
 */
function walkOn(api: TestApi, app: 'main' | 'companion'): () => Promise<void> {
  const companion = app === 'companion';
  let step = 0;
  return async () => {
    if (step === 0) await passCaptcha(api);
    // The first step start is a turn of its own, so that the app sees step 1.
    if (step === 0) await clickComplete(api, { companion });
    else await walkStep(api, { companion, ...(step === 1 ? {} : { step }) });
    step += 1;
  };
}
