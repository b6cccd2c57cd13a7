import { beforeEach, expect, test, vi } from 'vitest';
import { failToConnect, NOW } from '../../test/run-server.ts';
import { verifyCaptcha, withRetries } from './widget.ts';

beforeEach(() => void vi.useFakeTimers({ now: NOW }));

function failing(times: number) {
  let left = times;
  return vi.fn(() => (left-- > 0 ? Promise.reject(new Error(`failed, ${left} to go`)) : Promise.resolve('loaded')));
}

test.each([0, 1, 2])('retries a load that fails %d times', async (times) => {
  const load = failing(times);
  const loaded = withRetries(load);
  await vi.runAllTimersAsync();

  expect(await loaded).toBe('loaded');
  expect(load).toHaveBeenCalledTimes(times + 1);
});

test('gives up after three failures', async () => {
  const load = failing(3);
  const failed = expect(withRetries(load)).rejects.toThrow('failed, 0 to go');
  await vi.runAllTimersAsync();

  await failed;
  expect(load).toHaveBeenCalledTimes(3);
});

test('does not retry after a timeout, because the script was requested twice already', async () => {
  const load = vi.fn(() => Promise.reject(new DOMException('No answer', 'TimeoutError')));

  await expect(withRetries(load)).rejects.toThrow('No answer');
  expect(load).toHaveBeenCalledTimes(1);
});

const ANSWER = { token: 'token-1', hwid: 'device-1', os: 'ios', advertiser: 'rinku' } as const;

const headers = { 'retry-after': '60' };
const retryAt = NOW + 60_000;

test('submits a solution once, and times out after fifteen seconds', async () => {
  const asked = vi.fn<typeof fetch>((_url, init) => {
    return new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', reject));
  });
  vi.stubGlobal('fetch', asked);
  const reply = verifyCaptcha(ANSWER);
  await vi.advanceTimersByTimeAsync(15_000);

  expect(await reply).toEqual({ outcome: 'no answer' });
  expect(asked).toHaveBeenCalledTimes(1);
});

test.each([
  ['true', () => new Response('true'), { outcome: 'passed' }],
  ['true in quotes', () => new Response('"true"'), { outcome: 'failed' }],
  ['true with a space', () => new Response('true '), { outcome: 'failed' }],
  ['TRUE', () => new Response('TRUE'), { outcome: 'failed' }],
  ['that it is enough', () => new Response('false', { status: 429, headers }), { outcome: 'failed', retryAt }],
  ['true with a refusal', () => new Response('true', { status: 403 }), { outcome: 'failed' }],
  ['a fault', () => new Response('true', { status: 500 }), { outcome: 'no answer' }],
  ['that it restarts', () => new Response('', { status: 503, headers }), { outcome: 'no answer', retryAt }],
  ['nothing', failToConnect, { outcome: 'no answer' }],
])('maps the reply “%s” to the outcome of the captcha', async (_what, answer, reply) => {
  vi.stubGlobal('fetch', answer);

  expect(await verifyCaptcha(ANSWER)).toEqual(reply);
});
