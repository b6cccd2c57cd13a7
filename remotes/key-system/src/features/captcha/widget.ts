import type { OperatingSystem } from '@app/contracts/key-system';
import { fetchInTime, isTimeout, postJson, retryAtOf } from '@app/platform';

/** An event of a widget; `lost`: nothing of it is to be seen. `until` is in epoch milliseconds by this device's clock. */
export type CaptchaEvent =
  { type: 'solved'; token: string } | { type: 'expired' | 'failed' | 'lost' } | { type: 'limited'; until: number };

export interface CaptchaWidget {
  /** Makes the widget unsolved again. The site's own captcha then solves itself again; reCAPTCHA waits for the visitor. */
  reset: () => void;
}

export interface CaptchaSubject {
  hwid: string;
  os: OperatingSystem;
}

/** Puts a widget into an empty element. Rejects when the code of the widget does not load. */
export type CreateWidget = (
  place: HTMLElement,
  subject: CaptchaSubject,
  onEvent: (event: CaptchaEvent) => void,
) => Promise<CaptchaWidget>;

/** How often a failed call is repeated, and the pause before each repetition. */
const MAX_RETRIES = 2;
const RETRY_DELAY_MS = 1000;

/** Repeats a failed call, for loading over a bad connection. What came too late was asked for twice. */
export async function withRetries<Result>(act: () => Promise<Result>, retries = MAX_RETRIES): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (retries === 0 || isTimeout(error)) throw error;

    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    return withRetries(act, retries - 1);
  }
}

interface CaptchaAnswer extends CaptchaSubject {
  token: string;
  advertiser: string;
}

interface CaptchaReply {
  outcome: 'passed' | 'failed' | 'no answer';
  /** When the server accepts captchas again, in epoch milliseconds by this device's clock; undefined if it did not say. */
  retryAt?: number | undefined;
}

/** Only a success of exactly `true` counts as passed. It never throws. */
export async function verifyCaptcha({ token, hwid, os, advertiser }: CaptchaAnswer): Promise<CaptchaReply> {
  try {
    const body = { 'g-recaptcha-response': token, hwid, OS: os, advertiser };
    return await fetchInTime('/api/v2/verify-captcha', postJson(body), async (response) => {
      const retryAt = retryAtOf(response);
      if (response.status >= 500) return { outcome: 'no answer', retryAt };

      return { outcome: response.ok && (await response.text()) === 'true' ? 'passed' : 'failed', retryAt };
    });
  } catch {
    return { outcome: 'no answer' };
  }
}
