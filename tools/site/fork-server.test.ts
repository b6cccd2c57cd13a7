import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forkServer } from './fork-server.ts';

test('a server starts in a small memory, unless the environment sets the allocator', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'fork-server-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, 'dist/api'), { recursive: true });
  const program = 'process.send([process.env.MALLOC_ARENA_MAX, process.execArgv]); process.disconnect();';
  writeFileSync(join(cwd, 'dist/api/main.js'), program);
  const start = async (env: NodeJS.ProcessEnv) =>
    ((await once(forkServer({ cwd, env, execArgv: ['--no-deprecation'] }), 'message')) as unknown[])[0];

  const sizes = ['--max-semi-space-size=4', '--max-old-space-size=1024', '--no-deprecation'];
  expect(await start({})).toEqual(['1', sizes]);
  expect(await start({ MALLOC_ARENA_MAX: '2' })).toEqual(['2', sizes]);
});
