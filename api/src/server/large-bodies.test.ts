import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';

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
  'threat 49: each of a volley of bodies that are too large is answered at %s, and none is cut',
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
])('threat 49: bodies that never end keep no other out at %s', async (path, type) => {
  const url = new URL(path, (await createTestApi()).origin);
  await begin(url, { type, bytes: 2000 * MB, sent: 70 * MB });

  const { status } = await begin(url, { type, bytes: 1, sent: 1 });
  expect(await status).toBe(400);
});

test('messages to the payment provider’s address are refused, not cut, while those before them take 32 MB', async () => {
  const url = new URL('/api/payment-webhook', (await createTestApi()).origin);
  const askStatus = async () => (await begin(url, { bytes: 100, sent: 100 })).status;
  const slow = await Promise.all(Array.from({ length: 32 }, () => begin(url, { bytes: MB, sent: 1 })));
  await expect.poll(askStatus).toBe(503);

  slow[0]?.socket.destroy();
  await expect.poll(askStatus).toBe(400);
});
