import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startJobs } from '#api/foundation/module.ts';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { isOurOrigin, openLive } from './open-live.ts';

const OWN_ORIGIN = 'http://localhost';

/** The live count of a server that shares its database with others, and a page that is open. */
async function openWithPage() {
  const { site, db } = await createTestApi();
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const env = parseEnv({ BASE_URL: OWN_ORIGIN, DATABASE_URL: 'postgresql://127.0.0.1/site' });
  const live = openLive(site, server, env);
  onTestFinished(() => live[Symbol.asyncDispose]?.());
  const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { origin: OWN_ORIGIN });
  onTestFinished(() => page.terminate());
  await once(page, 'message');

  /** What the other servers count here; undefined when they do not know this one. */
  const told = async () => (await db.selectFrom('server').select('sockets').executeTakeFirst())?.sockets;
  return { live, page, told };
}

test('pages of a stopping server count until it closes, and then it removes itself from the others', async () => {
  const { live, page, told } = await openWithPage();
  await expect.poll(told).toBe(1);

  await Promise.all(startJobs([live]).map((job) => job[Symbol.asyncDispose]()));
  page.close();
  await expect.poll(told).toBe(0);

  await live[Symbol.asyncDispose]?.();
  expect(await told()).toBeUndefined();
});

test('a removed server does not register again with the others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { live, told } = await openWithPage();
  await expect.poll(told).toBe(1);

  await live[Symbol.asyncDispose]?.();
  await vi.advanceTimersByTimeAsync(10_000);

  expect(await told()).toBeUndefined();
});

test('a server that accepts no new connections closes its sockets', async () => {
  const { live, page } = await openWithPage();

  live.drain?.();

  expect(await once(page, 'close')).toEqual([1012, expect.anything()]);
});

test('with a configured origin only that one is accepted, whatever the Host header', () => {
  expect(isOurOrigin('https://site.example', 'https://site.example', 'other.example')).toBe(true);
  expect(isOurOrigin('http://site.example', 'https://site.example', 'site.example')).toBe(false);
  expect(isOurOrigin('https://evil.example', 'https://site.example', 'evil.example')).toBe(false);
});

test('without a configured origin, that of the Host header is accepted', () => {
  expect(isOurOrigin('http://localhost:3000', undefined, 'localhost:3000')).toBe(true);
  expect(isOurOrigin('http://localhost:3001', undefined, 'localhost:3000')).toBe(false);
  expect(isOurOrigin('null', undefined, 'localhost:3000')).toBe(false);
});
