import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dead, NOW } from '../../test/run-server.ts';
import { verifyCaptcha } from './verify-captcha.ts';

const ANSWER = { token: 'token-1', hwid: 'device-1', os: 'ios', advertiser: 'rinku' } as const;

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const headers = { 'retry-after': '60' };
const retryAt = NOW + 60_000;

test.each([
  ['true', () => new Response('true'), { outcome: 'passed' }],
  ['anything else', () => new Response('"true"'), { outcome: 'failed' }],
  ['that it is enough', () => new Response('false', { status: 429, headers }), { outcome: 'failed', retryAt }],
  ['a fault', () => new Response('true', { status: 500 }), { outcome: 'no answer' }],
  ['that it restarts', () => new Response('', { status: 503, headers }), { outcome: 'no answer', retryAt }],
  ['nothing', dead, { outcome: 'no answer' }],
])('when the server says %s, the captcha has its outcome', async (_what, answer, reply) => {
  vi.stubGlobal('fetch', answer);

  expect(await verifyCaptcha(ANSWER)).toEqual(reply);
});
