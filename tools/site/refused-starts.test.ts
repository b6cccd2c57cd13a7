import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { withoutSettings } from '../machine/without-settings.ts';
import { buildOutdated } from '../units/build-units.ts';
import { START_TIMEOUT_MS, ROOT } from './test/started-server.ts';

const API_DIR = join(ROOT, 'api');

beforeAll(() => buildOutdated(['api'], process.stderr), START_TIMEOUT_MS);

const NO_JSON = 'src/server/main.ts';
const EXAMPLE = 'src/product/advertisers/advertisers-settings.example.json';

/** Starts the server as a process, with settings that it must refuse. */
async function start(settings: Record<string, string>, program = '../dist/api/main.js') {
  const env = { DATA_DIR: makeFolder(), ...settings };
  const server = spawn(process.execPath, [program], {
    cwd: API_DIR,
    env: { ...withoutSettings(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, ended] = await Promise.all([text(server.stderr), once(server, 'exit') as Promise<[number | null]>]);

  return { code: ended[0], said };
}

/** An empty folder, which is removed after the test. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'refused-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Everything that production needs, except real accounts with the advertisers. */
function makeProduction(): Record<string, string> {
  const folder = makeFolder();
  const SIGNING_KEY_FILE = join(folder, 'key.json');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(SIGNING_KEY_FILE, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: '2026-11a' }));

  return {
    NODE_ENV: 'production',
    BASE_URL: 'https://example.com',
    TRUST_PROXY: '0',
    HWID_PEPPER: '3f9c1d7ae2b84056917dfc20a6e1b35d',
    DATA_DIR: folder,
    SIGNING_KEY_FILE,
    ADVERTISERS_FILE: EXAMPLE,
    MAIL_FROM: 'no-reply@example.com',
  };
}

test.each([
  { why: 'a bad setting', env: { PORT: 'abc' }, said: 'PORT: must be a whole number\n' },
  {
    why: 'files that are all unusable',
    env: {
      ADVERTISERS_FILE: NO_JSON,
      SIGNING_KEY_FILE: EXAMPLE,
      NEXT_SIGNING_KEY_FILE: 'src',
      LIMITS_FILE: '/nowhere',
      DOWNLOADS_FILE: EXAMPLE,
    },
    said: [
      `SIGNING_KEY_FILE: ${EXAMPLE}: kty is missing; crv is missing; kid is missing; x is missing; d is missing\n`,
      'NEXT_SIGNING_KEY_FILE: src: this is a folder\n',
      `ADVERTISERS_FILE: ${NO_JSON}: is not JSON\n`,
      `DOWNLOADS_FILE: ${EXAMPLE}: hosts is missing; downloads is missing; linkvertise is not known\n`,
      'LIMITS_FILE: /nowhere: there is no such file\n',
    ].join(''),
  },
])(
  'threat 19: $why ends the start with exit code 1 and a line for each setting',
  async ({ env, said }) => {
    expect(await start(env)).toEqual({ code: 1, said });
  },
  START_TIMEOUT_MS,
);

test(
  'threat 19: production with the example’s accounts ends the start with exit code 1 and one line',
  async () => {
    const accounts = ['linkvertise.token', 'lootlabs.token', 'lootlabs.postbackSecret', 'rinku.apiKey'];
    expect(await start(makeProduction())).toEqual({
      code: 1,
      said: `ADVERTISERS_FILE: ${EXAMPLE}: ${accounts.map((name) => `${name} is for trying out and refused in production`).join('; ')}\n`,
    });
  },
  START_TIMEOUT_MS,
);

test(
  'a server beside which no shell was built, and whose database knows none, says so and ends with exit code 1',
  async () => {
    const folder = makeFolder();
    for (const name of ['main.js', 'checkpoint.js'])
      cpSync(join(ROOT, 'dist/api', name), join(folder, 'api', name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    symlinkSync(join(API_DIR, 'node_modules'), join(folder, 'api/node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

    expect(await start({ PORT: '0' }, join(folder, 'api/main.js'))).toEqual({
      code: 1,
      said: 'There is no release of the shell. Build one with “npm run build”, then start again.\n',
    });
  },
  START_TIMEOUT_MS,
);
