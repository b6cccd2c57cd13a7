import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { generateSigningKey } from './features/keys/signing-key.ts';

const API_DIR = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLE = 'src/features/advertisers/advertisers-settings.example.json';

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

/** Everything that production needs, but for real accounts with the advertisers. */
function makeProduction(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'main-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const SIGNING_KEY_FILE = join(folder, 'key.json');
  writeFileSync(SIGNING_KEY_FILE, generateSigningKey('2026-11a'));

  return { NODE_ENV: 'production', BASE_URL: 'https://example.com', HWID_PEPPER: 'p'.repeat(32), DATA_DIR: folder, SIGNING_KEY_FILE, ADVERTISERS_FILE: EXAMPLE };
}

test.each([
  { why: 'a bad setting', env: { PORT: 'abc' }, said: 'PORT: must be a whole number\n' },
  { why: 'production without an address', env: { NODE_ENV: 'production' }, said: 'BASE_URL: must be set in production\n' },
  { why: 'a missing file of downloads', env: { DOWNLOADS_FILE: '/nowhere' }, said: "DOWNLOADS_FILE: ENOENT: no such file or directory, open '/nowhere'\n" },
])('row 19: $why ends the start with exit code 1 and one line', async ({ env, said }) => {
  expect(await start(env)).toEqual({ code: 1, said });
});

test.each([
  {
    why: 'Google’s secret for tests',
    env: { CAPTCHA_PROVIDER: 'recaptcha', RECAPTCHA_SITE_KEY: 'site-key', RECAPTCHA_SECRET: '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe' },
    said: "RECAPTCHA_SECRET: is Google's key for tests and refused in production\n",
  },
  { why: 'the example’s accounts', env: {}, said: 'ADVERTISERS_FILE: linkvertise.token is for trying out and refused in production\n' },
])('row 19: production with $why ends the start with exit code 1 and one line', async ({ env, said }) => {
  expect(await start({ ...makeProduction(), ...env })).toEqual({ code: 1, said });
});
