import { join, resolve } from 'node:path';
import { CHUNK_TIMEOUT_MS } from '@app/contracts/unit';
import * as v from 'valibot';
import { hasSeveralHosts, isDatabaseUrlClear } from './database-url.ts';
import { findConflicts, type RawSettings, isLoopback } from './env-checks.ts';

/** A start that cannot succeed. The message has a line for each problem, which names the setting. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

const MAX_PORT = 65_535;
const LAUNCH_SCHEMES = ['roblox:', 'https:'];

const wholeNumber = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^\d+$/, 'must be a whole number'), v.transform(Number), v.minValue(min), v.maxValue(max));

/** A part of the whole, such as `0.01`. */
const fractionSchema = v.pipe(
  v.string(),
  v.regex(/^(0|1|0?\.\d+)$/, 'must be between 0 and 1, such as 0.01'),
  v.transform(Number),
);

/** In one spelling, because commands, proxies and the settings of others compare it as text. */
const origin = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) address'),
  v.check(
    (text) => !URL.canParse(text) || new URL(text).origin === text,
    ({ input }) => `must be written ${new URL(input).origin}`,
  ),
);

const loopbackOrigin = v.pipe(
  origin,
  v.check((text) => URL.canParse(text) && isLoopback(new URL(text).hostname), 'must be on this machine'),
);

const hostnames = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9.-]+( *, *[a-z0-9.-]+)*$/i, 'must be names of hosts, set apart by commas'),
  v.transform((text) => text.toLowerCase().split(/ *, */)),
);

/** An http(s) address to which a path can be added: without query, user name, password, or a slash at the end. */
const folderAddress = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) address'),
  v.check((text) => !URL.canParse(text) || isPlainPath(new URL(text)), 'must be an origin and a path, no more'),
  v.transform((text) => stripTrailingSlash(new URL(text))),
);

function isPlainPath({ search, hash, username, password }: URL): boolean {
  return search + hash + username + password === '';
}

function stripTrailingSlash({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

export const longSecret = v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'));

const databaseUrl = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
  v.check(isDatabaseUrlClear, 'needs @ / ? # % in a user or a password written as %40 %2F %3F %23 %25'),
  v.check(
    (url) => !hasSeveralHosts(url),
    'must name one host; HAProxy leads it to the primary of several (docs/deploy.md)',
  ),
);

const mailServer = v.pipe(
  v.string(),
  v.regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://'),
  v.check((text) => URL.canParse(text) && new URL(text).hostname !== '', 'must name a host'),
);

/** What RFC 5321 takes for EHLO: a name with a dot, or an address in brackets. */
const greetingName = v.pipe(
  v.string(),
  v.regex(/^([a-z0-9-]+(\.[a-z0-9-]+)+|\[[0-9a-f.:]+\])$/i, 'must be like web1.example.com'),
);

const contactLink = v.pipe(
  v.string(),
  v.regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\S+)$/, 'must begin with mailto:, https: or tel:'),
);

const launchLink = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && LAUNCH_SCHEMES.includes(new URL(text).protocol),
    `must begin with one of ${LAUNCH_SCHEMES.join(' ')}`,
  ),
);

const stripeKey = v.pipe(v.string(), v.regex(/^[rs]k_(test|live)_\w{8,}$/, 'must begin with sk_ or rk_'));

const folderPath = v.pipe(
  v.string(),
  v.transform((path) => resolve(path)),
);

const envSchema = v.object({
  NODE_ENV: v.optional(v.picklist(['development', 'production', 'test']), 'development'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  PORT: v.optional(wholeNumber(0, MAX_PORT), '3000'),
  BASE_URL: v.optional(origin),
  TRUST_PROXY: v.optional(wholeNumber(0, 10), '0'),
  DATA_DIR: v.optional(folderPath, './var'),
  RELEASES_DIR: v.optional(folderPath),
  RENDERED_DIR: v.optional(folderPath),
  DATABASE_URL: v.optional(databaseUrl),
  DATABASE_POOL: v.optional(wholeNumber(1, 1000), '10'),
  NOTIFY_SOCKET: v.optional(v.string()),
  HWID_PEPPER: v.optional(longSecret),
  SIGNING_KEY_FILE: v.optional(v.string()),
  NEXT_SIGNING_KEY_FILE: v.optional(v.string()),
  SIGNING_KEY_EMERGENCY: v.optional(v.string()),
  SIGNER_SOCKET: v.optional(v.string()),
  SIGNER_SECRET: v.optional(longSecret),
  AUDIT_TRUST_DIR: v.optional(folderPath),
  CAPTCHA_PROVIDER: v.optional(v.picklist(['altcha', 'recaptcha']), 'altcha'),
  RECAPTCHA_SITE_KEY: v.optional(v.string()),
  RECAPTCHA_SECRET: v.optional(v.string()),
  RECAPTCHA_HOSTNAMES: v.optional(hostnames),
  ADVERTISERS_FILE: v.optional(v.string()),
  STRIPE_SECRET_KEY: v.optional(stripeKey),
  STRIPE_WEBHOOK_SECRET: v.optional(v.pipe(v.string(), v.regex(/^whsec_[\w+/=]{16,}$/, 'must begin with whsec_'))),
  LIMITS_FILE: v.optional(v.string()),
  MAIL_URL: v.optional(mailServer),
  MAIL_FROM: v.optional(
    v.pipe(v.string(), v.regex(/^([^\r\n<>"]* <)?[^\s@<>]+@[^\s@<>]+>?$/, 'must be like Name <address@example.com>')),
  ),
  MAIL_EHLO: v.optional(greetingName),
  SECURITY_CONTACT: v.optional(contactLink),
  WEBHOOK_ADDRESSES: v.optional(v.picklist(['public', 'any']), 'public'),
  QA_ACCESS_KEY: v.optional(longSecret),
  RESET_PRIVACY: v.optional(v.picklist(['spec', 'strict']), 'spec'),
  CONTENT_URL: v.optional(folderAddress),
  CONTENT_API_URL: v.optional(folderAddress),
  DOWNLOADS_FILE: v.optional(v.string()),
  LAUNCH_URL: v.optional(launchLink, 'roblox://'),
  // Units have the longest time compiled in.
  CHUNK_TIMEOUT_MS: v.optional(wholeNumber(1000, CHUNK_TIMEOUT_MS), String(CHUNK_TIMEOUT_MS)),
  FIELD_TIMINGS_SHARE: v.optional(fractionSchema),
  METRICS_PORT: v.optional(wholeNumber(0, MAX_PORT)),
  METRICS_HOST: v.optional(v.string(), '127.0.0.1'),
  STOP_DELAY_MS: v.optional(wholeNumber(0, 60_000), '0'),
  LIVE_MAX_SOCKETS: v.optional(wholeNumber(1, 1_000_000), '20000'),
  LIVE_MAX_SOCKETS_PER_NETWORK: v.optional(wholeNumber(1, 1_000_000), '500'),
  DEV_UPDATES_URL: v.optional(v.pipe(v.string(), v.regex(/^ws:\/\/127\.0\.0\.1:\d+$/, 'must be on this machine'))),
  TEST_MIN_DWELL_MS: v.optional(wholeNumber(0, 600_000)),
  TEST_CAPTCHA_COST: v.optional(wholeNumber(1, 1_000_000)),
  TEST_CAPTCHA_ROUNDS: v.optional(wholeNumber(1, 1_000_000)),
  TEST_RECAPTCHA_ORIGIN: v.optional(loopbackOrigin),
  TEST_STRIPE_ORIGIN: v.optional(loopbackOrigin),
  TEST_CLOCK_OFFSET_MS: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
});

export type Env = ReturnType<typeof parseEnv>;

/** The names of all settings, and of those that only commands and the signer read. */
const KNOWN_NAMES = [
  ...Object.keys(envSchema.entries),
  'TEST_DATABASE_URL',
  'RELEASE_TOKEN',
  'SIGNER_SOCKET_MODE',
  'SIGNER_MAX_PER_SECOND',
  'FORMER_SIGNING_KEY_FILE',
];

/**
 * Reads every setting of the server in one place.
 * @throws EnvError that names all settings that are wrong, missing, forbidden or misspelt
 */
export function parseEnv(source: RawSettings) {
  // An empty setting, such as in a copied .env.example, counts as not set.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== '' && value !== undefined));

  const result = v.safeParse(envSchema, given);
  const wrong = (result.issues ?? []).map((issue) => `${v.getDotPath(issue) ?? 'A setting'}: ${issue.message}`);
  const problems = [
    ...wrong,
    ...findConflicts(given),
    ...findTestSettings(given),
    ...findMisspelt(Object.keys(given), KNOWN_NAMES),
  ];
  if (!result.success || problems.length > 0) throw new EnvError(problems.join('\n'));

  const { DATA_DIR, RELEASES_DIR = join(DATA_DIR, 'releases') } = result.output;
  return { ...result.output, RELEASES_DIR };
}

/**
 * Lists the names of unused settings, for a warning. They are no error, because they may be meant for another program.
 * @param inFile the names that stand in the file `.env`
 */
export function listUnused(source: RawSettings, inFile: readonly string[]): string[] {
  return findUnused(Object.keys(source), inFile, KNOWN_NAMES);
}

/**
 * Runs all readers of settings, and collects their results under the same names.
 * @throws EnvError that names all problems of all readers, not only the first one
 */
export function readAll<Parts extends object>(readers: { [Name in keyof Parts]: () => Parts[Name] }): Parts {
  const problems: EnvError[] = [];
  const parts = Object.entries<() => unknown>(readers).map(([name, read]) => {
    try {
      return [name, read()];
    } catch (error) {
      if (!(error instanceof EnvError)) throw error;
      problems.push(error);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new EnvError(problems.map(({ message }) => message).join('\n'), { cause: problems });

  return Object.fromEntries(parts) as Parts;
}

function findTestSettings(given: RawSettings): string[] {
  if (given['NODE_ENV'] !== 'production') return [];

  const purposes = { TEST_: 'for tests', DEV_: 'for npm run dev' };
  return Object.entries(purposes).flatMap(([start, purpose]) =>
    Object.keys(envSchema.entries)
      .filter((name) => name.startsWith(start) && given[name] !== undefined)
      .map((name) => `${name}: is ${purpose} and refused in production`),
  );
}

/**
 * Short names such as HOST and PORT are close to many other words, so for them only differences in case and punctuation
 * count.
 */
const MIN_COMPARED_LENGTH = 7;
const MAX_CHANGES = 2;

/** Beginnings that hardly any other program's names have. */
const OUR_PREFIXES = /^(LIVE_MAX_|SIGNING_KEY_|SIGNER_|NEXT_SIGNING_|HWID_|RECAPTCHA_|STRIPE_)/;

function findMisspelt(names: readonly string[], known: readonly string[]): string[] {
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = findClosest(name, known);
      return meant === undefined ? [] : [`${name}: is no setting. Did you mean ${meant}?`];
    });
}

function findUnused(names: readonly string[], inFile: readonly string[], known: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name) && (inFile.includes(name) || OUR_PREFIXES.test(name)));
}

function findClosest(name: string, known: readonly string[]): string | undefined {
  const text = stripSeparators(name);
  return (
    known.find((candidate) => stripSeparators(candidate) === text) ??
    (text.length < MIN_COMPARED_LENGTH
      ? undefined
      : known.find((candidate) => isSimilar(text, stripSeparators(candidate))))
  );
}

/** `base-url` and `BASEURL` are spellings of BASE_URL. */
function stripSeparators(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

function isSimilar(a: string, b: string): boolean {
  return (
    b.length >= MIN_COMPARED_LENGTH && Math.abs(a.length - b.length) <= MAX_CHANGES && countChanges(a, b) <= MAX_CHANGES
  );
}

/** How many characters have to be added, removed or replaced to turn one text into the other (Levenshtein distance). */
function countChanges(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
    }
  }
  return row[b.length] ?? 0;
}
