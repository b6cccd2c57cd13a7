import type { OperatingSystem } from '@app/contracts/key-system';
import { fetchInTime, postJson, retryAtOf } from '@app/platform';

export type CaptchaOutcome = 'passed' | 'failed' | 'no answer';

export interface CaptchaReply {
  outcome: CaptchaOutcome;
  /**
   * When the server accepts captchas again, in epoch milliseconds by this device's clock; undefined if it did not say.
   */
  retryAt?: number | undefined;
}

interface CaptchaAnswer {
  token: string;
  hwid: string;
  os: OperatingSystem;
  advertiser: string;
}

/**
 * Has the server verify a solved captcha. Only a success of exactly `true` counts as passed. It never throws: without
 * an answer, or with an error of the server, the outcome is `no answer`.
 */
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
