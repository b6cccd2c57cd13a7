import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { EnvError } from '#api/foundation/settings/env.ts';
import { listen } from './listen.ts';

test.each([
  { HOST: '203.0.113.9', said: 'HOST: 203.0.113.9 is not an address of this machine' },
  { HOST: 'nowhere.invalid', said: 'HOST: no address is known of nowhere.invalid' },
  { HOST: '999.1.2.3', said: 'HOST: no address is known of 999.1.2.3' },
])('a start on the unusable host $HOST fails with its name', async ({ HOST, said }) => {
  const refused = listen(createServer(), { HOST, PORT: 0 });

  await expect(refused).rejects.toThrow(EnvError);
  await expect(refused).rejects.toThrow(said);
});

test('a start on a port in use fails with its number', async () => {
  const first = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void first.close());
  await once(first, 'listening');
  const { port: PORT } = first.address() as AddressInfo;

  await expect(listen(createServer(), { HOST: '127.0.0.1', PORT })).rejects.toThrow(
    `PORT: ${String(PORT)} is taken by another program`,
  );
});

test('a metrics port in use is reported as such', async () => {
  const refused = listen(createServer(), { HOST: '203.0.113.9', PORT: 0 }, 'METRICS_');

  await expect(refused).rejects.toThrow(/^METRICS_HOST: 203\.0\.113\.9 is not an address of this machine$/);
});
