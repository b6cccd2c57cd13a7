import { resolve } from 'node:path';
import * as v from 'valibot';

/** A start that cannot succeed; the message names the setting. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/** Google's keys for trying reCAPTCHA out: every captcha passes with them. */
const TEST_KEYS = ['6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI', '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe'];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const MAX_PORT = 65_535;
const LAUNCH_SCHEMES = ['roblox:', 'https:'];

const wholeNumber = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^\d+$/, 'must be a whole number'), v.transform(Number), v.minValue(min), v.maxValue(max));

const origin = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) address'),
  v.check((text) => !URL.canParse(text) || ['', '/'].includes(new URL(text).pathname), 'must have no path'),
  v.transform((text) => new URL(text).origin),
);

const loopbackOrigin = v.pipe(
  origin,
  v.check((text) => URL.canParse(text) && LOOPBACK.includes(new URL(text).hostname), 'must be on this machine'),
);

/** Names of hosts, set apart by commas. */
const hostnames = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9.-]+( *, *[a-z0-9.-]+)*$/i, 'must be names of hosts, set apart by commas'),
  v.transform((text) => text.toLowerCase().split(/ *, */)),
);

/** An http(s) address whose path may be added to: no query, no name and password, no slash at the end. */
const folderAddress = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) address'),
  v.check((text) => !URL.canParse(text) || isPlainPath(new URL(text)), 'must be an origin and a path, no more'),
  v.transform((text) => withoutSlash(new URL(text))),
);

function isPlainPath({ search, hash, username, password }: URL): boolean {
  return search + hash + username + password === '';
}

function withoutSlash({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

const launchLink = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && LAUNCH_SCHEMES.includes(new URL(text).protocol), `must begin with one of ${LAUNCH_SCHEMES.join(' ')}`),
);

const envSchema = v.object({
  NODE_ENV: v.optional(v.picklist(['development', 'production', 'test']), 'development'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  PORT: v.optional(wholeNumber(0, MAX_PORT), '3000'),
  BASE_URL: v.optional(origin),
  TRUST_PROXY: v.optional(wholeNumber(0, 10), '0'),
  DATA_DIR: v.pipe(v.optional(v.string(), './var'), v.transform((path) => resolve(path))),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'))),
  HWID_PEPPER: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  SIGNING_KEY_FILE: v.optional(v.string()),
  NEXT_SIGNING_KEY_FILE: v.optional(v.string()),
  SIGNING_KEY_EMERGENCY: v.optional(v.string()),
  CAPTCHA_PROVIDER: v.optional(v.picklist(['altcha', 'recaptcha']), 'altcha'),
  RECAPTCHA_SITE_KEY: v.optional(v.string()),
  RECAPTCHA_SECRET: v.optional(v.string()),
  RECAPTCHA_HOSTNAMES: v.optional(hostnames),
  ADVERTISERS_FILE: v.optional(v.string()),
  LIMITS_FILE: v.optional(v.string()),
  CONTENT_URL: v.optional(folderAddress),
  DOWNLOADS_FILE: v.optional(v.string()),
  LAUNCH_URL: v.optional(launchLink, 'roblox://'),
  CHUNK_TIMEOUT_MS: v.optional(wholeNumber(1000, 600_000), '120000'),
  LIVE_MAX_SOCKETS: v.optional(wholeNumber(1, 1_000_000), '20000'),
  LIVE_MAX_SOCKETS_PER_NETWORK: v.optional(wholeNumber(1, 1_000_000), '500'),
  DEV_UPDATES_URL: v.optional(v.pipe(v.string(), v.regex(/^ws:\/\/127\.0\.0\.1:\d+$/, 'must be on this machine'))),
  TEST_MIN_DWELL_MS: v.optional(wholeNumber(0, 600_000)),
  TEST_CAPTCHA_COST: v.optional(wholeNumber(1, 1_000_000)),
  TEST_RECAPTCHA_ORIGIN: v.optional(loopbackOrigin),
  TEST_CLOCK_OFFSET_MS: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
});

export type Env = v.InferOutput<typeof envSchema>;

const NEEDED_FOR_RECAPTCHA = ['RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET'] as const;
const NEEDED_IN_PRODUCTION = ['BASE_URL', 'HWID_PEPPER', 'SIGNING_KEY_FILE', 'ADVERTISERS_FILE'] as const;

/**
 * Reads every setting of the server in one place.
 * @throws EnvError that names the first setting that is wrong, missing or forbidden
 */
export function parseEnv(source: Readonly<Record<string, string | undefined>>): Env {
  // An empty setting, as a copied .env has it, is one that was not made.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));

  const result = v.safeParse(envSchema, given);
  if (!result.success) {
    const [issue] = result.issues;
    throw new EnvError(`${v.getDotPath(issue) ?? 'A setting'}: ${issue.message}`);
  }
  if (result.output.CAPTCHA_PROVIDER === 'recaptcha') requireSettings(result.output, NEEDED_FOR_RECAPTCHA, 'for CAPTCHA_PROVIDER=recaptcha');
  if (result.output.NODE_ENV === 'production') refuseUnfitForProduction(result.output);

  return result.output;
}

function refuseUnfitForProduction(env: Env): void {
  requireSettings(env, NEEDED_IN_PRODUCTION, 'in production');

  const testOnly = (Object.keys(env) as (keyof Env)[]).find((name) => name.startsWith('TEST_') && env[name] !== undefined);
  if (testOnly) throw new EnvError(`${testOnly}: is for tests and refused in production`);
  if (env.DEV_UPDATES_URL !== undefined) throw new EnvError('DEV_UPDATES_URL: is for npm run dev and refused in production');

  const triedOut = NEEDED_FOR_RECAPTCHA.find((name) => TEST_KEYS.includes(env[name] ?? ''));
  if (triedOut) throw new EnvError(`${triedOut}: is Google's key for tests and refused in production`);
}

function requireSettings(env: Env, names: readonly (keyof Env)[], when: string): void {
  const missing = names.find((name) => env[name] === undefined);
  if (missing) throw new EnvError(`${missing}: must be set ${when}`);
}
