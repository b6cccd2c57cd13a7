import { expect, test, vi } from 'vitest';
import { ProviderError, type CallProvider } from '#api/foundation/http/call-provider.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

const T0 = 1_800_000_000_000;
const OPEN_MS = 30_000;
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
    restMs: OPEN_MS,
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
function createPendingReply() {
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

test('each call through the circuit breaker is reported with its outcome', async () => {
  const { onCall, succeed, fail, ask, call } = createBreaker();
  await succeed();
  await expect(ask.call(call.mockResolvedValueOnce('nonsense'))).rejects.toThrow('an unknown reply');
  await fail();
  await fail();
  await expect(ask()).rejects.toThrow('is open');

  expect(onCall.mock.calls.map(([outcome]) => outcome)).toEqual(['answered', 'unfit', 'unanswered', 'unanswered']);
  expect(onCall.mock.calls.every(([, seconds]) => seconds >= 0)).toBe(true);
});

test('the circuit opens at the third failure in a row and makes no call while it is open', async () => {
  const { fail, ask, call, isOpen, onChange } = createBreaker();
  await fail();
  await fail();
  expect(isOpen()).toBe(false);
  await fail('timeout');

  expect(isOpen()).toBe(true);
  await expect(ask()).rejects.toMatchObject({
    message: 'the circuit of advertiser.example is open',
    failure: 'unreached',
  });
  expect(call).toHaveBeenCalledTimes(3);
  expect(onChange.mock.calls).toEqual([['open']]);
});

test('a success resets the failure count of the circuit', async () => {
  const { fail, succeed, isOpen } = createBreaker();
  await fail();
  await fail();
  await succeed();
  await fail();
  await fail();

  expect(isOpen()).toBe(false);
  await fail();
  expect(isOpen()).toBe(true);
});

test('an unreadable reply counts as a failure of the circuit', async () => {
  const { ask, call, isOpen } = createBreaker();
  call.mockResolvedValue('<html>');
  for (let times = 0; times < 3; times++) await expect(ask()).rejects.toThrow('an unknown reply');

  expect(isOpen()).toBe(true);
});

test('a half-open circuit makes one call and closes when the call succeeds', async () => {
  const { fail, ask, call, isOpen, pass, onChange } = createBreaker();
  for (let times = 0; times < 3; times++) await fail();
  pass(OPEN_MS - 1);
  expect(isOpen()).toBe(true);
  pass(1);
  expect(isOpen()).toBe(false);

  const probe = createPendingReply();
  call.mockReturnValueOnce(probe.reply);
  const first = ask();
  await expect(ask()).rejects.toThrow('is open');
  expect(call).toHaveBeenCalledTimes(4);

  probe.resolve();
  expect(await first).toBe('TRUE');
  expect(onChange.mock.calls).toEqual([['open'], ['closed']]);
  await fail();
  expect(isOpen()).toBe(false);
});

test('a half-open circuit opens again when its call fails', async () => {
  const { fail, ask, isOpen, pass, call } = createBreaker();
  for (let times = 0; times < 3; times++) await fail();
  pass(OPEN_MS);
  await fail('still down');

  expect(isOpen()).toBe(true);
  pass(OPEN_MS - 1);
  await expect(ask()).rejects.toThrow('is open');
  expect(call).toHaveBeenCalledTimes(4);
});

test('replies to calls from before the circuit opened do not change its state', async () => {
  const { fail, ask, call, isOpen, pass } = createBreaker();
  const [good, bad] = [createPendingReply(), createPendingReply()];
  call.mockReturnValueOnce(good.reply).mockReturnValueOnce(bad.reply);
  const asked = [ask(), ask()];
  for (let times = 0; times < 3; times++) await fail();
  pass(OPEN_MS - 1);

  good.resolve();
  bad.reject();
  await Promise.allSettled(asked);

  expect(isOpen()).toBe(true);
  pass(1);
  expect(isOpen()).toBe(false);
});
