import type { CaptchaSettings } from '@app/contracts/site-settings';
import * as v from 'valibot';
import type { Env } from '#api/foundation/settings/env.ts';
import { retryWhileDeclined, type CallProvider, ProviderError, readJson } from '#api/foundation/http/call-provider.ts';
import type { CaptchaProvider } from './captcha.service.ts';

const GOOGLE = 'https://www.google.com';

export interface RecaptchaAccount {
  siteKey: string;
  secret: string;
  hostnames: readonly string[];
  /** Google's origin, or in tests that of a fake on this machine. */
  origin: string;
}

/** Undefined when reCAPTCHA is not the captcha of the site. */
export function readRecaptchaAccount(env: Env): RecaptchaAccount | undefined {
  const {
    CAPTCHA_PROVIDER,
    RECAPTCHA_SITE_KEY: siteKey,
    RECAPTCHA_SECRET: secret,
    BASE_URL = 'http://localhost',
  } = env;
  if (CAPTCHA_PROVIDER !== 'recaptcha' || siteKey === undefined || secret === undefined) return undefined;

  return {
    siteKey,
    secret,
    hostnames: env.RECAPTCHA_HOSTNAMES ?? [new URL(BASE_URL).hostname],
    origin: env.TEST_RECAPTCHA_ORIGIN ?? GOOGLE,
  };
}

export function presentCaptcha(account: RecaptchaAccount | undefined): CaptchaSettings {
  if (!account) return { provider: 'altcha' };

  return {
    provider: 'recaptcha',
    siteKey: account.siteKey,
    scriptUrl: `${account.origin}/recaptcha/api.js?render=explicit`,
  };
}

/** How long Google accepts a solved captcha, in milliseconds. */
const MAX_AGE_MS = 2 * 60 * 1000;

/**
 * Google's codes for a token that is missing, wrong, old or used. Every other code is about our account or our request.
 */
const TOKEN_ERRORS = ['missing-input-response', 'invalid-input-response', 'timeout-or-duplicate'];

const verdictSchema = v.variant('success', [
  v.object({ success: v.literal(true), hostname: v.string(), challenge_ts: v.pipe(v.string(), v.isoTimestamp()) }),
  v.object({ success: v.literal(false), 'error-codes': v.optional(v.array(v.string()), []) }),
]);

/** Google's checkbox, version 2: the visitor's browser gets a token, and the server asks Google about it once. */
export function createRecaptcha({
  account,
  call,
  now,
}: {
  account: RecaptchaAccount;
  call: CallProvider;
  now: () => number;
}): CaptchaProvider {
  async function ask(token: string): Promise<v.InferOutput<typeof verdictSchema>> {
    const reply = await call(new URL(`${account.origin}/recaptcha/api/siteverify`), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ secret: account.secret, response: token }).toString(),
      spends: true,
    });

    const verdict = v.safeParse(verdictSchema, readJson(reply));
    if (!verdict.success) throw new ProviderError('reCAPTCHA gave an unknown reply', { failure: 'unfit' });
    return verdict.output;
  }

  return {
    id: 'recaptcha',

    async verify(token) {
      const verdict = await retryWhileDeclined(() => ask(token));
      if (verdict.success) {
        const isFresh = Math.abs(now() - Date.parse(verdict.challenge_ts)) <= MAX_AGE_MS;
        return isFresh && account.hostnames.includes(verdict.hostname) ? token : undefined;
      }

      const complaint = verdict['error-codes'].find((code) => !TOKEN_ERRORS.includes(code));
      if (complaint !== undefined)
        throw new ProviderError(`reCAPTCHA does not take our question: ${complaint}`, { failure: 'unfit' });
      return undefined;
    },
  };
}
