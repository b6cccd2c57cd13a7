import express from 'express';
import { describe, expect, test, vi } from 'vitest';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { handleError } from '#api/foundation/http/handle-error.ts';
import { createRateLimiter } from '#api/foundation/http/rate-limit.ts';
import { OWN_NAVIGATION } from '#api/test/create-test-api.ts';
import { openEmptySqlite } from '#api/test/databases/open-empty-sqlite.ts';
import { createFixture, DWELL_MS, OWNER } from '#api/test/product/key-system-fixture.ts';
import { listen } from '#api/test/listen.ts';
import { navigate } from '#api/test/navigate.ts';
import { WHO } from '#api/test/product/visitor-steps.ts';
import { keySystemRoutes } from './key-system.routes.ts';
import { createAdmissionQueue } from './start/admission-queue.ts';
import { createTicket } from './ticket.ts';

const PAGE = { ...OWN_NAVIGATION, accept: 'text/html' };

describe('the key system over HTTP', () => {
  async function serve() {
    const db = await openEmptySqlite();
    const fixture = createFixture(db);
    const warnAboutPostback = vi.fn();
    const app = express();
    const now = () => fixture.says.time;
    app.use(
      keySystemRoutes({
        keySystem: fixture.keySystem,
        admissionQueue: createAdmissionQueue(now),
        ensureVisitorCookie: () => 'owner',
        readIdentity: () => OWNER,
        ownOrigin: () => origin,
        limiter: createRateLimiter({ now, trustedHops: 0 }),
        shedStates: (_req, _res, next) => next(),
        waitForChange: (_req, _res, { read }) => read(),
        warnAboutPostback,
      }),
    );
    app.use((_req, res) => void res.sendStatus(404));
    app.use(handleError(() => undefined, now));
    const origin = await listen(app);
    /** Status and place of an answer, and what is asked of whom. */
    const ask = async (path: string, headers: Record<string, string> = PAGE, method = 'GET') => {
      const res = await navigate(new URL(path, origin), headers, method);
      return { res, at: [res.status, res.headers.get('location')], body: await res.text() };
    };
    return { ...fixture, db, ask, warnAboutPostback };
  }

  test.each([
    { path: '/keysystemv2', page: '/key-system-1', appId: 'main', query: '', os: 'android' },
    { path: '/keysystemv2', page: '/key-system-1', appId: 'main', query: '&os=IOS', os: 'ios' },
    { path: '/saverobux/keysystem', page: '/rosaverx/key-system-1', appId: 'companion', query: '&os=ios', os: 'ios' },
  ])(
    'threat 34: a step start at $path$query redirects to the advertiser without a referrer, for $appId on $os',
    async ({ path, page, appId, query, os }) => {
      const { ask, db, passCaptcha, attempts, run } = await serve();
      const asked = await ask(`${path}?${WHO}${query}`);
      expect(asked.at).toEqual([303, `${page}?${WHO}${query.toLowerCase()}&e=KS_CAPTCHA`]);

      await passCaptcha();
      await db
        .updateTable('captchaPass')
        .set({ os: os as 'ios' })
        .execute();
      const { res } = await ask(`${path}?${WHO}&advertiser=rinku${query}`);
      expect([res.status, res.headers.get('location')]).toEqual([302, expect.stringContaining('/keysystem/return/')]);
      expect(res.headers.get('referrer-policy')).toBe('no-referrer');
      expect(await run()).toMatchObject({ appId, os });
      expect(await attempts()).toMatchObject([{ advertiserId: 'rinku' }]);
    },
  );

  test('a step start of the companion app without a system consumes a captcha pass of any system', async () => {
    const { ask, db, passCaptcha } = await serve();
    await passCaptcha();
    await db.updateTable('captchaPass').set({ os: 'windows' }).execute();

    expect((await ask(`/keysystemv2?${WHO}`)).at[1]).toContain('e=KS_CAPTCHA');
    expect((await ask(`/saverobux/keysystem?${WHO}`)).res.status).toBe(302);
  });

  test('a step start parses its step and its choice about an open run', async () => {
    const { ask, db, passCaptcha } = await serve();
    expect((await ask(`/keysystemv2?${WHO}&step=2`)).at).toEqual([303, `/key-system-1?${WHO}`]);
    await passCaptcha();
    await ask(`/keysystemv2?${WHO}&step=1`);
    await db.updateTable('run').set({ visitorHmac: 'another' }).execute();

    const elsewhere = '/keysystemv2?hwid=device-1234&zone=zone-2';
    for (const run of ['', '&run=stay', '&run=else'])
      expect((await ask(elsewhere + run)).at[1], run).toContain('e=KS_OTHER_ZONE');
    expect((await ask(`${elsewhere}&run=new`)).at[1]).toContain('e=KS_CAPTCHA&run=new');
    expect((await ask(`${elsewhere}&run=keep`)).at[0]).toBe(302);
  });

  test.each([
    ['zone=z', 'KS_HWID'],
    ['hwid=<script>alert(1)</script>', 'KS_HWID'],
    ['hwid=device-1&hwid=device-2', 'KS_HWID'],
    ['hwid[]=device-1', 'KS_HWID'],
    ['hwid=device-1%00', 'KS_HWID'],
    ['hwid=undefined', 'KS_HWID'],
    ['hwid=device-1234&zone=a%20b', 'KS_ZONE'],
  ])('threat 17: a step start and a state request with %s are rejected with %s', async (query, code) => {
    const { ask } = await serve();

    expect((await ask(`/keysystemv2?${query}`)).at).toEqual([303, `/key-system-1?e=${code}`]);
    const { res, body } = await ask(`/keysystem/state?${query}`, {});
    expect([res.status, JSON.parse(body)]).toMatchObject([400, { code }]);
    expect(body.includes('many devices send this one')).toBe(query === 'hwid=undefined');
  });

  test('a rejected step start that accepts JSON answers with a problem document', async () => {
    const { ask } = await serve();

    const { res, body } = await ask('/saverobux/keysystem?hwid=x', { ...PAGE, accept: 'application/json' });
    expect([res.status, JSON.parse(body)]).toMatchObject([400, { code: 'KS_HWID' }]);
  });

  test.each([
    { path: '/keysystemv2', method: 'PUT', allow: 'GET, POST' },
    { path: '/saverobux/keysystem', method: 'PUT', allow: 'GET, POST' },
    { path: '/keysystem/return/x', method: 'POST', allow: 'GET' },
    { path: '/keysystem/postback/x', method: 'POST', allow: 'GET' },
  ])('$path answers 405 to $method', async ({ path, method, allow }) => {
    const { res } = await (await serve()).ask(path, PAGE, method);

    expect([res.status, res.headers.get('allow')]).toEqual([405, allow]);
  });

  describe('the return route over HTTP', () => {
    test('a return redirects to the next step or to a waiting page without a referrer, and rejects prefetches and HEAD', async () => {
      const { ask, passCaptcha, leave, says } = await serve();
      await passCaptcha();
      const path = `/keysystem/return/${await leave()}`;

      const early = await ask(path);
      expect([early.res.status, early.res.headers.get('refresh'), early.res.headers.get('retry-after')]).toEqual([
        200,
        '10',
        null,
      ]);
      expect(early.body).toContain('<title>Almost there');
      expect(early.body).toContain('goes on by itself after 10 seconds');
      says.time += DWELL_MS;
      const back = await ask(path);
      expect(back.at).toEqual([303, `/key-system-2?${WHO}&advertiser=linkvertise`]);
      expect(back.res.headers.get('referrer-policy')).toBe('no-referrer');
      expect((await ask(`/keysystem/return/${createTicket()}`)).at).toEqual([303, '/key-system-bypass?r=KS_TICKET']);
      expect((await ask(path, { ...PAGE, 'sec-purpose': 'prefetch' })).res.status).toBe(403);
      expect((await ask(path, PAGE, 'HEAD')).res.status).toBe(403);
    });

    test('a return answers 503 with a refresh when the database or signer is unavailable, and 500 after other errors', async () => {
      const { ask, failNext } = await serve();
      const path = `/keysystem/return/${createTicket()}`;
      for (const error of [new DatabaseUnavailable('busy'), new SignerUnavailable('away')]) {
        failNext(/FROM step_attempt JOIN run/, error);
        const { res } = await ask(path);
        expect([res.status, res.headers.get('refresh'), res.headers.get('retry-after')]).toEqual([503, '3', '3']);
      }

      failNext(/FROM step_attempt JOIN run/, new Error('no such table'));
      expect((await ask(path)).res.status).toBe(500);
    });

    test('a return has a rate limit, and guesses of unknown tickets do not limit a known ticket', async () => {
      const { ask, leave, passCaptcha, says } = await serve();
      await passCaptcha();
      const known = `/keysystem/return/${await leave()}`;
      const path = `/keysystem/return/${createTicket()}`;
      for (let visits = 0; visits < 20; visits++) expect((await ask(path)).res.status).toBe(303);
      const { res, body } = await ask(path);
      expect([res.status, res.headers.get('refresh')]).toEqual([429, '60']);
      expect(body).toContain('<title>One moment');
      expect(body).toContain('opened too many times in a minute');

      for (let guesses = 20; guesses < 200; guesses++)
        expect((await ask('/keysystem/return/guess')).res.status).toBe(303);
      expect((await ask('/keysystem/return/guess')).res.status).toBe(429);
      says.time += DWELL_MS;
      expect((await ask(known)).at[1]).toContain('/key-system-2');
    });
  });

  test('threat 10: a postback answers ok, 400 when malformed, 403 with a wrong secret and 404 for an unknown attempt', async () => {
    const { ask, passCaptcha, leave, says, seen, warnAboutPostback } = await serve();
    await passCaptcha();
    await leave({ advertiser: 'lootlabs' });
    says.time += DWELL_MS;
    const call = (query: string) => ask(`/keysystem/postback/postback%20secret?${query}`, {});
    const click = seen.links[0]?.attemptId ?? '';

    const [task, long] = ['t'.repeat(128), 'c'.repeat(64)];
    for (const query of [
      `click_id=${click}`,
      `unique_id=t`,
      `click_id=${click}&unique_id=${task}t`,
      'click_id=%00&unique_id=t',
    ])
      expect((await call(query)).res.status, query).toBe(400);
    expect((await call(`click_id=${long}c&unique_id=t`)).res.status).toBe(400);
    const click_id = ['click_id'];
    const unique_id = ['unique_id'];
    expect(warnAboutPostback.mock.calls.flat()).toEqual([unique_id, click_id, unique_id, click_id, click_id]);
    expect((await ask('/keysystem/postback/other?click_id=c', {})).res.status).toBe(403);
    expect(warnAboutPostback).toHaveBeenCalledTimes(5);
    expect((await call(`click_id=${long}&unique_id=${task}`)).res.status).toBe(404);
    const { res, body } = await call(`click_id=${click}&unique_id=t`);
    expect([res.status, body, res.headers.get('content-type')]).toEqual([200, 'ok', 'text/plain; charset=utf-8']);
  });

  test('a state request is limited to thirty per minute and device, and to GET', async () => {
    const { ask } = await serve();
    const path = `/keysystem/state?${WHO}&app=companion`;
    expect(JSON.parse((await ask(path, {})).body)).toMatchObject({ app: 'companion', run: null });
    expect((await ask(path, {}, 'POST')).res.headers.get('allow')).toBe('GET, HEAD');

    let status = 200;
    for (let count = 0; count < 30; count++) ({ status } = (await ask(path, {})).res);
    expect(status).toBe(429);
    expect((await ask('/keysystem/state?hwid=device-5678', {})).res.status).toBe(200);
  });
});
