import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runAgainst } from './dev-against.ts';

test.each([
  [[]],
  [['tools']],
  [['--against', 'http://localhost:1']],
  [['tools', '--against', 'localhost']],
  [['tools', 'marketing', '--against', 'http://localhost:1']],
])('arguments %j print the usage and exit with 2', async (args) => {
  expect(await run(args)).toMatchObject({ code: 2, said: expect.stringContaining('Usage: npm run dev') as string });
});

test('an unknown unit exits with 1 and lists those that exist', async () => {
  const { code, said } = await run(['nothing', '--against', 'http://localhost:1']);

  expect(code).toBe(1);
  expect(said).toMatch(/^There is no unit nothing here\. There are: shell, .*\btools\b/);
});

test('a site that does not answer exits with 1 and its origin', async () => {
  const { code, said } = await run(['tools', '--against', 'http://127.0.0.1:1']);

  expect(code).toBe(1);
  expect(said).toContain('http://127.0.0.1:1 does not answer');
});

test('a site of another product exits with 1', async () => {
  const other = createServer((_req, res) => res.end('<h1>Another site</h1>')).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');

  const { code, said } = await run(['tools', '--against', `http://127.0.0.1:${(other.address() as AddressInfo).port}`]);

  expect(code).toBe(1);
  expect(said).toContain('is not a site of these units');
});

/** What the command says on the error output, and its exit code. */
async function run(args: string[]): Promise<{ code: number; said: string }> {
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.stubEnv('RELEASE_VERSION', undefined);
  return { code: await runAgainst(args), said: error.mock.calls.flat().join('\n') };
}
