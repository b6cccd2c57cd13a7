import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const API_DIR = fileURLToPath(new URL('..', import.meta.url));

/** Starts the server as a process of its own, which is meant to give up. */
async function start(env: Record<string, string>) {
  const server = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts'], {
    cwd: API_DIR,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, ended] = await Promise.all([text(server.stderr), once(server, 'exit') as Promise<[number | null]>]);

  return { code: ended[0], said };
}

test.each([
  { why: 'a bad setting', env: { PORT: 'abc' }, said: 'PORT: must be a whole number\n' },
  { why: 'production without an address', env: { NODE_ENV: 'production' }, said: 'BASE_URL: must be set in production\n' },
  { why: 'a missing file of downloads', env: { DOWNLOADS_FILE: '/nowhere' }, said: "DOWNLOADS_FILE: ENOENT: no such file or directory, open '/nowhere'\n" },
])('row 19: $why ends the start with exit code 1 and one line', async ({ env, said }) => {
  expect(await start(env)).toEqual({ code: 1, said });
});
