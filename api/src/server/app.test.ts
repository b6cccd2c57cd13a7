import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { problemSchema } from '@app/contracts/problem';
import { Router } from 'express';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import { BOOT_GUARD } from '#api/delivery/pages/boot-guard.ts';
import { FILL_EARLY_LINK } from '#api/delivery/pages/early-links.ts';
import { LAY_OUT_PART } from '#api/delivery/pages/compose.ts';
import { buildSnapshot } from '#api/test/delivery/build-release.ts';
import { createTestApi } from '#api/test/create-test-api.ts';

test.each(['/api', '/api/unknown', '/dev/unknown', '/dev/advertiser/unknown', '/releases/unknown', '/nothing'])(
  'answers 404 with a problem to %s',
  async (path) => {
    const api = await createTestApi();

    const res = await api.ask(path);

    expect(res.status).toBe(404);
    expect(res.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(v.parse(problemSchema, await res.json())).toMatchObject({ code: 'route.not_found', retryable: false });
  },
);

test('threat 19: with real advertiser accounts there is no sandbox', async () => {
  const api = await createTestApi({ advertisers: exampleSettings });

  for (const path of [
    '/dev/advertiser/sandbox.css',
    '/dev/advertiser/linkvertise/1/2/dynamic?r=',
    '/dev/advertiser/rinku/api',
  ]) {
    expect((await api.ask(path)).status).toBe(404);
  }
});

test('every response forbids MIME sniffing and hides paths from other sites', async () => {
  const api = await createTestApi();

  for (const path of ['/healthz', '/api/keysystem/state', '/nothing']) {
    const { headers } = await api.ask(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

test('the Content-Security-Policy allows the inline scripts of documents', async () => {
  const policy = (await (await createTestApi()).ask('/nothing')).headers.get('content-security-policy');

  for (const text of [BOOT_GUARD, LAY_OUT_PART, FILL_EARLY_LINK])
    expect(/script-src [^;]*/.exec(policy ?? '')?.[0]).toContain(
      `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
});

test('the Content-Security-Policy of API calls allows no scripts: interstitials have stylesheets, fonts, a picture and a form', async () => {
  const api = await createTestApi();
  const policies = await Promise.all(
    ['/api/key', '/api/keysystem/state', '/api/nothing'].map(async (path) =>
      (await api.ask(path)).headers.get('content-security-policy'),
    ),
  );

  expect(new Set(policies)).toEqual(
    new Set([
      "default-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none';font-src 'self';img-src 'self';style-src 'self'",
    ]),
  );
});

test('responses of the API are not cached', async () => {
  const api = await createTestApi();

  expect((await api.ask('/api/keysystem/state?hwid=device-1234')).headers.get('cache-control')).toBe('no-store');
});

test('only the public keys and the reference are readable by every site', async () => {
  const api = await createTestApi();
  const origin = { headers: { origin: 'https://app.example' } };

  for (const path of ['/.well-known/jwks.json', '/openapi.json']) {
    const { status, headers } = await api.ask(path, origin);
    expect(
      [status, headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')],
      path,
    ).toEqual([200, '*', 'cross-origin']);
  }
  for (const path of [
    '/api/key?hwid=device-1234',
    '/api/keysystem/state?hwid=device-1234',
    '/api/downloads',
    '/healthz',
    '/.well-known/other',
    '/nothing',
  ]) {
    const { headers } = await api.ask(path, origin);
    expect([headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')], path).toEqual([
      null,
      'same-origin',
    ]);
  }
  const preflight = await api.ask('/api/key/verify', {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});

test('an error of a public endpoint is readable by every site too', async () => {
  const api = await createTestApi();

  for (const path of ['/.well-known/jwks.json', '/openapi.json']) {
    const refusals = [
      await api.ask(path, { headers: { 'api-version': '99' } }),
      await api.ask(path, { method: 'PUT' }),
    ];
    expect(refusals.map(({ status, headers }) => [status, headers.get('access-control-allow-origin')])).toEqual([
      [400, '*'],
      [405, '*'],
    ]);
  }
});

test('responses vary by the requested API version', async () => {
  const api = await createTestApi();

  for (const path of ['/.well-known/jwks.json', '/openapi.json', '/api/key?hwid=device-1234', '/api/unknown'])
    for (const version of ['1', '99']) {
      const { headers } = await api.ask(path, { headers: { 'api-version': version } });
      expect(headers.get('vary')?.split(', '), path).toContain('API-Version');
    }
});

test('responses for apps name their API version, and an unknown version is rejected', async () => {
  const api = await createTestApi();
  const asked = (version: string) => api.ask('/api/key?hwid=device-1234', { headers: { 'api-version': version } });

  for (const path of [
    '/api/key?hwid=device-1234',
    '/api/key',
    '/api/unknown',
    '/.well-known/jwks.json',
    '/openapi.json',
  ]) {
    expect((await api.ask(path)).headers.get('api-version'), path).toBe('1');
  }
  expect((await asked('1')).status).toBe(200);
  const refused = await asked('2');
  expect([refused.status, refused.headers.get('api-version')]).toEqual([400, '1']);
  expect(await refused.json()).toMatchObject({ code: 'request.version', supported: ['1'] });
});

test('a stopping server is alive but not ready', async () => {
  const api = await createTestApi();
  expect((await api.ask('/readyz')).status).toBe(200);

  api.beginToStop();

  expect((await api.ask('/healthz')).status).toBe(200);
  const res = await api.ask('/readyz');
  expect(res.status).toBe(503);
  expect(await res.json()).toMatchObject({ code: 'server.stopping', retryable: true });
});

test('a server with a full disk is not ready, and reports why', async () => {
  let free = 1024 * 1024 * 1024;
  const api = await createTestApi({ freeBytes: () => Promise.resolve(free) });
  expect((await api.ask('/readyz')).status).toBe(200);

  free = 1024 * 1024;

  const res = await api.ask('/readyz');
  expect(res.status).toBe(503);
  expect(await res.json()).toMatchObject({ code: 'server.full' });
  expect((await api.ask('/healthz')).status).toBe(200);
});

test('a server without a servable release of a unit is not ready, and names the unit', async () => {
  const api = await createTestApi({
    releases: {
      store: {} as ReleaseStore,
      registry: {
        snapshot: () => ({ ...buildSnapshot([]), unserved: ['key-system', 'tools'] }),
        find: () => Promise.resolve(undefined),
        refresh: () => Promise.resolve(),
      },
    },
  });

  const res = await api.ask('/readyz');
  expect(res.status).toBe(503);
  expect(await res.json()).toMatchObject({
    code: 'server.incomplete',
    detail: 'No release of key-system, tools is here.',
  });
});

test('an internal error is logged, and its message is not sent', async () => {
  const broken = Router().get('/broken', () => {
    throw new Error('the disk is on fire');
  });
  const api = await createTestApi({ files: [broken] });

  const res = await api.ask('/broken');

  const problem = v.parse(problemSchema, await res.json());
  expect(problem).toMatchObject({ status: 500, code: 'server.unexpected' });
  expect(JSON.stringify(problem)).not.toContain('fire');
  expect(api.logged.find((line) => line.includes('fire'))).toContain(problem.ref);
});

test('a malformed percent escape in an address is a client error', async () => {
  const api = await createTestApi();

  const res = await api.visit('/api/keysystem/return/%E0%A4%A');

  expect(res.status).toBe(400);
});

test('interstitials have a stylesheet, and no scripts or inline styles', async () => {
  const api = await createTestApi();

  const page = await (await api.visit('/api/keysystemv2?hwid=device-1234', {})).text();

  expect(page).toContain('href="/interstitial.css"');
  expect(page).not.toMatch(/<script|style=/);
  const style = await api.ask('/interstitial.css');
  expect(style.headers.get('content-type')).toContain('text/css');
});

test('the button of an interstitial has the accent colour of the site’s pages', async () => {
  const tokens = readFileSync(new URL('../../../shared/design-system/src/tokens/tokens.css', import.meta.url), 'utf8');
  const red = /\[data-accent='red'\] \{\s*--accent: (#\w+);\s*--accent-ink: (#\w+);/.exec(tokens);
  const style = await (await (await createTestApi()).ask('/interstitial.css')).text();

  expect(style).toMatch(new RegExp(`\\.action \\{[^}]* background: ${red?.[1]}; color: ${red?.[2]};`));
});

test('a static file does not shadow a route', async () => {
  const api = await createTestApi({ files: [Router().use((_req, res) => void res.send('a file'))] });

  expect(await (await api.ask('/openapi.json')).json()).toMatchObject({ openapi: expect.any(String) as string });
  expect(await (await api.ask('/anything-else')).text()).toBe('a file');
});
