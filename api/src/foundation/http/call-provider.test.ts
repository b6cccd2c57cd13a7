import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { findDeadOrigin, listen } from '#api/test/listen.ts';
import { createCallProvider, ProviderError, type ProviderRequest } from './call-provider.ts';

function failureOf(origin: string, request?: ProviderRequest): Promise<unknown> {
  return createCallProvider({ timeoutMs: 200 })(new URL(origin), request).catch((error: unknown) => error);
}

const silent: RequestListener = () => undefined;
const breakingOff: RequestListener = (req) => req.socket.destroy();
const stuck: RequestListener = (_req, res) => res.write('TRUE');
const failing: RequestListener = (_req, res) => res.writeHead(500).end('TRUE');

test('no timer remains after a provider’s response', async () => {
  const origin = await listen((_req, res) => res.end('TRUE'));
  const LONG_MS = 3_600_000;
  const started = vi.spyOn(globalThis, 'setTimeout');
  const ended = vi.spyOn(globalThis, 'clearTimeout');

  await createCallProvider({ timeoutMs: LONG_MS })(new URL(origin));

  const nth = started.mock.calls.findIndex(([, ms]) => ms === LONG_MS);
  expect(ended).toHaveBeenCalledWith(started.mock.results[nth]?.value);
});

test('a plain-text response is returned unchanged, with white space and byte order mark', async () => {
  const origin = await listen((_req, res) => res.end('\uFEFFTRUE \n'));

  expect(await createCallProvider()(new URL(origin))).toBe('\uFEFFTRUE \n');
});

test.each([
  { why: 'fails', listener: failing, failure: 'unfit' },
  { why: 'says too much', listener: (_req, res) => res.end('T'.repeat(20_000)), failure: 'unfit' },
  {
    why: 'says it in bytes that are no text',
    listener: (_req, res) => res.end(Buffer.from([0x54, 0xff, 0xfe])),
    failure: 'unfit',
  },
  {
    why: 'sends us elsewhere',
    listener: (_req, res) => res.writeHead(302, { location: 'https://evil.example/' }).end(),
    failure: 'unfit',
  },
  { why: 'never answers', listener: silent, failure: 'unanswered' },
  { why: 'never ends its answer', listener: stuck, failure: 'unanswered' },
  { why: 'breaks off', listener: breakingOff, failure: 'unanswered' },
] satisfies { why: string; listener: RequestListener; failure: string }[])(
  'threat 12: a request to a provider that $why counts as sent, without a response',
  async ({ listener, failure }) => {
    const error = await failureOf(await listen(listener));

    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ failure, wasSent: true });
  },
);

test('a request to an unreachable provider counts as not sent', async () => {
  expect(await failureOf(await findDeadOrigin())).toMatchObject({ failure: 'unreached', wasSent: false });
});

test.each([
  { what: 'a 201', send: (_req, res) => res.writeHead(201).end('TRUE') },
  { what: 'a 202', send: (_req, res) => res.writeHead(202).end('TRUE') },
  { what: 'gzip', send: (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('TRUE')) },
] satisfies { what: string; send: RequestListener }[])('$what is accepted only in lenient mode', async ({ send }) => {
  const origin = await listen(send);

  expect(await createCallProvider()(new URL(origin), { isLenient: true })).toBe('TRUE');
  expect(await failureOf(origin)).toMatchObject({ failure: 'unfit' });
});

test.each([429, 502, 503])('a response with %i means that the request was not processed', async (status) => {
  expect(await failureOf(await listen((_req, res) => res.writeHead(status).end()))).toMatchObject({
    failure: 'declined',
  });
});

describe('retries', () => {
  /** A provider that fails at the first call and answers the next. */
  async function listenBadlyOnce(first: RequestListener) {
    const listener = vi.fn<RequestListener>((_req, res) => void res.end('TRUE')).mockImplementationOnce(first);
    return { origin: await listen(listener), listener };
  }

  test.each([
    { why: 'was silent', first: silent },
    { why: 'broke off', first: breakingOff },
    { why: 'got stuck', first: stuck },
  ])('a request to a provider that $why is retried once', async ({ first }) => {
    const { origin, listener } = await listenBadlyOnce(first);

    expect(await createCallProvider({ timeoutMs: 200 })(new URL(origin))).toBe('TRUE');
    expect(listener).toHaveBeenCalledTimes(2);
  });

  test('threat 12: a proof that may have been used is not sent again', async () => {
    const { origin, listener } = await listenBadlyOnce(silent);

    expect(await failureOf(origin, { spends: true })).toMatchObject({ failure: 'unanswered' });
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('a request with any response, however bad, is not retried', async () => {
    const { origin, listener } = await listenBadlyOnce(failing);

    expect(await failureOf(origin)).toMatchObject({ failure: 'unfit' });
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('a request without a response is sent at most twice', async () => {
    const listener = vi.fn(silent);

    await failureOf(await listen(listener));
    expect(listener).toHaveBeenCalledTimes(2);
  });
});
