import { expect, test, vi } from 'vitest';
import { ProviderError, type CallProvider } from '#api/foundation/http/call-provider.ts';
import { createCircuitBreaker } from './advertisers.service.ts';

const T0 = 1_800_000_000_000;
const REST_MS = 30_000;
const ADDRESS = new URL('https://advertiser.example/');

/** A breaker that opens at three failures; the test plays the advertiser. */
function createBreaker() {
  let time = T0;
  const call = vi.fn<CallProvider>();
  const onChange = vi.fn<(state: 'open' | 'closed') => void>();
  const onCall = vi.fn<(outcome: string, seconds: number) => void>();
  const breaker = createCircuitBreaker({
    callProvider: call,
    now: () => time,
    failuresToOpen: 3,
    restMs: REST_MS,
    onCall,
    onChange,
  });
  const ask = () => breaker.call(ADDRESS, {}, readTrue);

  return {
    ...breaker,
    call,
    onCall,
    onChange,
    ask,
    pass: (ms: number) => {
      time += ms;
    },
    succeed: () => ask.call(call.mockResolvedValueOnce('TRUE')),
    fail: (message = 'down') =>
      expect(
        ask.call(call.mockRejectedValueOnce(new ProviderError(message, { failure: 'unanswered' }))),
      ).rejects.toThrow(message),
  };
}

function readTrue(reply: string): string {
  if (reply !== 'TRUE') throw new ProviderError('an unknown reply', { failure: 'unfit' });
  return reply;
}

/** A reply that comes when the test says so. */
function later() {
  let settle: { resolve: (reply: string) => void; reject: (error: Error) => void } | undefined;
  const reply = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    reply,
    resolve: () => settle?.resolve('TRUE'),
    reject: () => settle?.reject(new ProviderError('late', { failure: 'unanswered' })),
  };
}

test('each call that was made is told, with how it ended', async () => {
  const { onCall, succeed, fail, ask, call } = createBreaker();
  await succeed();
  await expect(ask.call(call.mockResolvedValueOnce('nonsense'))).rejects.toThrow('an unknown reply');
  await fail();
  await fail();
  await expect(ask()).rejects.toThrow('is open');

  expect(onCall.mock.calls.map(([outcome]) => outcome)).toEqual(['answered', 'unfit', 'unanswered', 'unanswered']);
  expect(onCall.mock.calls.every(([, seconds]) => seconds >= 0)).toBe(true);
});

test('at the third failure in a row it opens, and then no call is made', async () => {
  const { fail, ask, call, read, onChange } = createBreaker();
  await fail();
  await fail();
  expect(read()).toMatchObject({ state: 'closed', failures: 2 });
  await fail('timeout');

  expect(read()).toEqual({ state: 'open', failures: 3, since: T0, lastError: 'timeout' });
  await expect(ask()).rejects.toMatchObject({
    message: 'the circuit of advertiser.example is open',
    failure: 'unreached',
  });
  expect(call).toHaveBeenCalledTimes(3);
  expect(onChange.mock.calls).toEqual([['open']]);
});

test('a success in between begins the row anew', async () => {
  const { fail, succeed, read } = createBreaker();
  await fail();
  await fail();
  await succeed();
  await fail();
  await fail();

  expect(read()).toMatchObject({ state: 'closed', failures: 2 });
});

test('a reply that makes no sense is a failure', async () => {
  const { ask, call, read } = createBreaker();
  call.mockResolvedValue('<html>');
  for (let times = 0; times < 3; times++) await expect(ask()).rejects.toThrow('an unknown reply');

  expect(read()).toMatchObject({ state: 'open', lastError: 'an unknown reply' });
});

test('after its rest one question, and only one, finds out whether the advertiser is back', async () => {
  const { fail, ask, call, read, pass, onChange } = createBreaker();
  for (let times = 0; times < 3; times++) await fail();
  pass(REST_MS - 1);
  expect(read().state).toBe('open');
  pass(1);
  expect(read().state).toBe('half_open');

  const probe = later();
  call.mockReturnValueOnce(probe.reply);
  const first = ask();
  await expect(ask()).rejects.toThrow('is open');
  expect(call).toHaveBeenCalledTimes(4);

  probe.resolve();
  expect(await first).toBe('TRUE');
  expect(read()).toEqual({ state: 'closed', failures: 0, since: null, lastError: 'down' });
  expect(onChange.mock.calls).toEqual([['open'], ['closed']]);
});

test('when that question fails too, it rests as long again', async () => {
  const { fail, ask, read, pass, call } = createBreaker();
  for (let times = 0; times < 3; times++) await fail();
  pass(REST_MS);
  await fail('still down');

  expect(read()).toEqual({ state: 'open', failures: 4, since: T0, lastError: 'still down' });
  pass(REST_MS - 1);
  await expect(ask()).rejects.toThrow('is open');
  expect(call).toHaveBeenCalledTimes(4);
});

test('answers to questions from before it opened change nothing', async () => {
  const { fail, ask, call, read, pass } = createBreaker();
  const [good, bad] = [later(), later()];
  call.mockReturnValueOnce(good.reply).mockReturnValueOnce(bad.reply);
  const asked = [ask(), ask()];
  for (let times = 0; times < 3; times++) await fail();
  pass(REST_MS - 1);

  good.resolve();
  bad.reject();
  await Promise.allSettled(asked);

  expect(read().state).toBe('open');
  pass(1);
  expect(read().state).toBe('half_open');
});
