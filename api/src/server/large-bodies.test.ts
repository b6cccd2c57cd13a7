import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { buy, press, readOrder, refOf } from '#api/test/product/buyer-steps.ts';

const MB = 1024 ** 2;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Begins a body on a connection of its own. The status is 0 when that is cut without an answer. */
async function begin(url: URL, { type = JSON_TYPE, bytes, sent }: { type?: string; bytes: number; sent: number }) {
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const status = new Promise<number>((resolve) => {
    socket.once('data', (head: Buffer) => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(head.toString())?.[1])));
    socket.on('error', () => undefined).once('close', () => resolve(0));
  });
  const head = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\nAccept: text/html`;
  const request = `${head}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(sent)}`;
  await new Promise((written) => socket.write(request, written));
  return { socket, status };
}

test.each([
  ['/api/redeem', FORM],
  ['/api/key/verify', JSON_TYPE],
  ['/api/payment-webhook', JSON_TYPE],
])(
  'threat 49: each of many concurrent oversized bodies gets a response at %s, without a connection reset',
  async (path, type) => {
    const url = new URL(path, (await createTestApi()).origin);
    const volley = await Promise.all(
      Array.from({ length: 80 }, () => begin(url, { type, bytes: MB + 1, sent: MB + 1 })),
    );

    for (const { status } of volley) expect([400, 503]).toContain(await status);
  },
);

test.each([
  ['/api/redeem', FORM],
  ['/api/key/verify', JSON_TYPE],
])('threat 49: endless bodies do not block other clients at %s', async (path, type) => {
  const url = new URL(path, (await createTestApi()).origin);
  await begin(url, { type, bytes: 2000 * MB, sent: 70 * MB });

  const { status } = await begin(url, { type, bytes: 1, sent: 1 });
  expect(await status).toBe(400);
});

const WEBHOOK = '/api/payment-webhook';

test('threat 62: announced but unsent messages do not block other clients', async () => {
  const url = new URL(WEBHOOK, (await createTestApi()).origin);
  await Promise.all(Array.from({ length: 40 }, () => begin(url, { bytes: MB, sent: 0 })));

  const { status } = await begin(url, { bytes: 100, sent: 100 });
  expect(await status).toBe(400);
});

test('threat 62: beyond 32 MB of messages the oldest get an error response, and the provider’s message is read', async () => {
  const api = await createTestApi();
  const page = await buy(api);
  const url = new URL(WEBHOOK, api.origin);
  const first = await begin(url, { bytes: MB, sent: MB - 50_000 });
  await Promise.all(Array.from({ length: 35 }, () => begin(url, { bytes: MB, sent: MB - 50_000 })));

  expect(await first.status).toBe(400);
  const back = await press(api, page, { action: 'pay' });
  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'paid' });
});
