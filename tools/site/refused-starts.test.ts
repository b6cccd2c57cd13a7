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
const ONLY_PRODUCTION =
  'and only a server with NODE_ENV=production may be visited from others: any other has fake advertisers.';
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
    why: 'production without anything',
    env: { NODE_ENV: 'production' },
    said: ['BASE_URL', 'TRUST_PROXY', 'HWID_PEPPER', 'SIGNING_KEY_FILE', 'ADVERTISERS_FILE', 'MAIL_FROM']
      .map((name) => `${name}: must be set in production\n`)
      .join(''),
  },
  {
    why: 'a public address without NODE_ENV',
    env: { BASE_URL: 'https://example.com' },
    said: `BASE_URL: https://example.com is not this machine, ${ONLY_PRODUCTION} Set NODE_ENV=production, or leave BASE_URL out\n`,
  },
  {
    why: 'a missing file of downloads',
    env: { DOWNLOADS_FILE: '/nowhere' },
    said: 'DOWNLOADS_FILE: /nowhere: there is no such file\n',
  },
  {
    why: 'a misspelt setting',
    env: { TRUST_PROXI: '1' },
    said: 'TRUST_PROXI: is no setting. Did you mean TRUST_PROXY?\n',
  },
  {
    why: 'files that are all unusable',
    env: {
      ADVERTISERS_FILE: NO_JSON,
      SIGNING_KEY_FILE: EXAMPLE,
      NEXT_SIGNING_KEY_FILE: 'src',
      LIMITS_FILE: NO_JSON,
      DOWNLOADS_FILE: EXAMPLE,
    },
    said: [
      `SIGNING_KEY_FILE: ${EXAMPLE}: kty is missing; crv is missing; kid is missing; x is missing; d is missing\n`,
      'NEXT_SIGNING_KEY_FILE: src: this is a folder\n',
      `ADVERTISERS_FILE: ${NO_JSON}: is not JSON\n`,
      `DOWNLOADS_FILE: ${EXAMPLE}: hosts is missing; downloads is missing; linkvertise is not known\n`,
      `LIMITS_FILE: ${NO_JSON}: is not JSON\n`,
    ].join(''),
  },
])(
  'threat 19: $why ends the start with exit code 1 and a line for each setting',
  async ({ env, said }) => {
    expect(await start(env)).toEqual({ code: 1, said });
  },
  START_TIMEOUT_MS,
);

test.each([
  {
    why: 'Google’s secret for tests',
    env: {
      CAPTCHA_PROVIDER: 'recaptcha',
      RECAPTCHA_SITE_KEY: 'site-key',
      RECAPTCHA_SECRET: '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe',
    },
    said: "RECAPTCHA_SECRET: is Google's key for tests and refused in production\n",
  },
  {
    why: 'the example’s accounts',
    env: {},
    said: `ADVERTISERS_FILE: ${EXAMPLE}: ${['linkvertise.token', 'lootlabs.token', 'lootlabs.postbackSecret', 'rinku.apiKey'].map((name) => `${name} is for trying out and refused in production`).join('; ')}\n`,
  },
])(
  'threat 19: production with $why ends the start with exit code 1 and one line',
  async ({ env, said }) => {
    expect(await start({ ...makeProduction(), ...env })).toEqual({ code: 1, said });
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
