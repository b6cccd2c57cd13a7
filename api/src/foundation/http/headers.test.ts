import express from 'express';
import { expect, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { rankCodings, securityHeaders } from './headers.ts';

test('scripts, styles and workers are allowed only from the site, and eval is forbidden', async () => {
  const policy = policyOf(await headersOf('http://localhost:3000'));

  for (const kind of ['default-src', 'script-src', 'style-src', 'worker-src', 'font-src', 'media-src', 'form-action'])
    expect(policy.get(kind)).toEqual(["'self'"]);
  for (const kind of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy.get(kind)).toEqual(["'none'"]);
});

test('inline scripts are allowed only by the hash of their text', async () => {
  const policy = policyOf(await headersOf('http://localhost:3000', { inlineScripts: ['alert(1)'] }));

  // `printf 'alert(1)' | openssl dgst -sha256 -binary | base64`
  expect(policy.get('script-src')).toEqual(["'self'", "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"]);
});

test('trap: the Referrer-Policy sends the origin, which video players require, and never path or query', async () => {
  expect((await headersOf('http://localhost:3000')).get('referrer-policy')).toBe('strict-origin-when-cross-origin');
});

test('trap: over http no Strict-Transport-Security is sent', async () => {
  const headers = await headersOf('http://localhost:3000');

  expect(headers.get('strict-transport-security')).toBeNull();
  expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
  expect(policyOf(headers).get('connect-src')).toEqual(["'self'", 'ws://localhost:3000']);
});

test('in development pages may also subscribe to updates and report errors, and nothing else is allowed', async () => {
  const [visited, edited] = await Promise.all([
    headersOf('http://localhost:3000'),
    headersOf('http://localhost:3000', { updatesUrl: 'ws://127.0.0.1:8080' }),
  ]);

  const connectSrc = [...(policyOf(visited).get('connect-src') ?? []), 'ws://127.0.0.1:8080', 'http://127.0.0.1:8080'];
  expect(policyOf(edited)).toEqual(new Map([...policyOf(visited), ['connect-src', connectSrc]]));
});

test('over https Strict-Transport-Security is sent', async () => {
  const headers = await headersOf('https://site.example');

  expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  expect(policyOf(headers).get('connect-src')).toEqual(["'self'", 'wss://site.example']);
});

test('MIME sniffing, framing and sensors are forbidden', async () => {
  const headers = await headersOf('https://site.example');

  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('permissions-policy')).toBe('geolocation=(), camera=(), microphone=()');
  expect(headers.get('cross-origin-embedder-policy')).toBeNull();
});

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br gzip identity'],
  ['gzip', 'gzip identity'],
  ['GZIP;q=1.0, BR; q=0.5', 'gzip br identity'],
  ['br;q=0, gzip', 'gzip identity'],
  ['*', 'br gzip identity'],
  ['*;q=0.2, gzip;q=0.9', 'gzip br identity'],
  ['identity, br;q=0.5', 'identity br'],
  ['identity;q=0.5, br', 'br identity'],
  ['br, identity;q=0', 'br'],
  ['br, *;q=0', 'br'],
  ['*;q=0', ''],
  ['br;q=x', 'identity'],
])('negotiates for Accept-Encoding %j: %j', (header, ranked) => {
  expect(rankCodings(header).join(' ')).toBe(ranked);
});

async function headersOf(baseUrl: string, others: Omit<Parameters<typeof securityHeaders>[0], 'baseUrl'> = {}) {
  const app = express()
    .use(securityHeaders({ baseUrl: () => baseUrl, ...others }))
    .use((_req, res) => res.end());
  return (await fetch(await listen(app))).headers;
}

function policyOf(headers: Headers): Map<string, string[]> {
  const directives = (headers.get('content-security-policy') ?? '')
    .split(';')
    .map((directive) => directive.trim().split(/\s+/));
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]));
}
