import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';

const MB = 1024 ** 2;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Begins a body on a connection of its own. */
async function begin(url: URL, { type = JSON_TYPE, bytes, sent }: { type?: string; bytes: number; sent: number }) {
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let answer = '';
  socket.on('error', () => undefined).on('data', (part: Buffer) => (answer += part.toString()));
  const head = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\nAccept: text/html`;
  socket.write(`${head}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(sent)}`);
  return { socket, status: () => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]) };
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

    for (const { status } of volley) await expect.poll(() => [400, 503].includes(status())).toBe(true);
  },
);

test.each([
  ['/api/redeem', FORM],
  ['/api/key/verify', JSON_TYPE],
])('threat 49: bodies that never end keep no other out at %s', async (path, type) => {
  const url = new URL(path, (await createTestApi()).origin);
  await begin(url, { type, bytes: 2000 * MB, sent: 70 * MB });

  const { status } = await begin(url, { type, bytes: 1, sent: 1 });
  await expect.poll(status).toBe(400);
});

test('messages to the payment provider’s address are refused, not cut, while those before them take 32 MB', async () => {
  const url = new URL('/api/payment-webhook', (await createTestApi()).origin);
  const askStatus = async () => {
    const { status } = await begin(url, { bytes: 100, sent: 100 });
    await expect.poll(status).not.toBeNaN();
    return status();
  };
  const slow = await Promise.all(Array.from({ length: 32 }, () => begin(url, { bytes: MB, sent: 1 })));
  await expect.poll(askStatus).toBe(503);

  slow[0]?.socket.destroy();
  await expect.poll(askStatus).toBe(400);
});
