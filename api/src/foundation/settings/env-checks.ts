/** Settings as the environment has them: texts, without the empty ones. */
export type RawSettings = Readonly<Record<string, string | undefined>>;

/** Google's public test keys for reCAPTCHA: every captcha passes with them. */
const TEST_KEYS = ['6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI', '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe'];

const RECAPTCHA_KEYS = ['RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET'] as const;
const STRIPE_KEYS = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
const REQUIRED_IN_PRODUCTION = [
  'BASE_URL',
  'TRUST_PROXY',
  'HWID_PEPPER',
  'SIGNING_KEY_FILE',
  'ADVERTISERS_FILE',
  'MAIL_FROM',
] as const;

/**
 * A random text has at least this many different distances between neighbouring characters, and different pairs of
 * them.
 */
const MIN_DISTINCT_STEPS = 8;
const MIN_DISTINCT_PAIRS = 16;
const PLACEHOLDER_PATTERN = /change.?me|replace.?with|example|password|secret|pepper/i;

/**
 * Finds what is wrong between settings that are each right by themselves.
 * @returns a sentence for each problem, which begins with the setting's name
 */
export function findConflicts(given: RawSettings): string[] {
  return [
    ...(given['CAPTCHA_PROVIDER'] === 'recaptcha'
      ? findMissing(given, RECAPTCHA_KEYS, 'for CAPTCHA_PROVIDER=recaptcha')
      : []),
    ...([...STRIPE_KEYS, 'TEST_STRIPE_ORIGIN'].some((name) => given[name] !== undefined)
      ? findMissing(given, STRIPE_KEYS, 'for payments with Stripe')
      : []),
    ...(given['SIGNER_SOCKET'] === undefined
      ? []
      : findMissing(given, ['SIGNING_KEY_FILE', 'SIGNER_SECRET'], 'with SIGNER_SOCKET')),
    ...(given['NODE_ENV'] === 'production' ? findProductionProblems(given) : findDevelopmentProblems(given)),
  ];
}

export function isLoopback(host: string): boolean {
  return /^(localhost|[^.]+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function findMissing(given: RawSettings, names: readonly string[], when: string): string[] {
  return names.filter((name) => given[name] === undefined).map((name) => `${name}: must be set ${when}`);
}

function findProductionProblems(given: RawSettings): string[] {
  const problems = findMissing(given, REQUIRED_IN_PRODUCTION, 'in production');

  // The site, and what its pages fetch, which browsers refuse to fetch over http.
  for (const name of ['BASE_URL', 'CONTENT_URL', 'CONTENT_API_URL']) {
    if (/^http:/i.test(given[name] ?? '')) problems.push(`${name}: must begin with https: in production`);
  }
  for (const name of ['HWID_PEPPER', 'SIGNER_SECRET', 'QA_ACCESS_KEY']) {
    if (isEasilyGuessed(given[name])) problems.push(`${name}: is easily guessed; make one with: openssl rand -hex 32`);
  }
  for (const name of RECAPTCHA_KEYS) {
    if (TEST_KEYS.includes(given[name] ?? ''))
      problems.push(`${name}: is Google's key for tests and refused in production`);
  }
  if (/^[rs]k_test_/.test(given['STRIPE_SECRET_KEY'] ?? ''))
    problems.push('STRIPE_SECRET_KEY: is a key for tests and refused in production');
  return problems;
}

function findDevelopmentProblems(given: RawSettings): string[] {
  const unsigned = given['MAIL_URL'] === undefined ? [] : findMissing(given, ['MAIL_FROM'], 'with MAIL_URL');
  return [...findPublic(given), ...unsigned];
}

/** Finds settings that would make a development server public. It has fake advertisers and so gives keys away. */
function findPublic({ BASE_URL, HOST }: RawSettings): string[] {
  const why = 'and only a server with NODE_ENV=production may be visited from others: any other has fake advertisers.';

  if (BASE_URL !== undefined) {
    const isOurs = !URL.canParse(BASE_URL) || isLoopback(new URL(BASE_URL).hostname);
    return isOurs
      ? []
      : [`BASE_URL: ${BASE_URL} is not this machine, ${why} Set NODE_ENV=production, or leave BASE_URL out`];
  }
  if (HOST === undefined || isLoopback(HOST)) return [];
  return [
    `HOST: ${HOST} can be reached from other machines, ${why} Set NODE_ENV=production; or BASE_URL to an address of this machine, when it is only a container that has to listen there`,
  ];
}

/** One character repeated, the alphabet, a repeated short text, or a word from an example. */
function isEasilyGuessed(text: string | undefined): boolean {
  if (text === undefined) return false;

  const letters = [...text];
  const next = letters.slice(1);
  const steps = new Set(next.map((letter, index) => letter.charCodeAt(0) - (letters[index] ?? '').charCodeAt(0)));
  const pairs = new Set(next.map((letter, index) => `${letters[index] ?? ''}${letter}`));

  return steps.size < MIN_DISTINCT_STEPS || pairs.size < MIN_DISTINCT_PAIRS || PLACEHOLDER_PATTERN.test(text);
}
