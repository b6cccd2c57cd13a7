import type { OperatingSystem } from '@app/contracts/key-system';
import { postJson, retryAtOf } from '@app/platform';

export type CaptchaOutcome = 'passed' | 'failed' | 'no answer';

export interface CaptchaReply {
  outcome: CaptchaOutcome;
  /** When the server takes captchas again, by this device's clock; undefined where it did not say. */
  retryAt?: number | undefined;
}

interface CaptchaAnswer {
  token: string;
  hwid: string;
  os: OperatingSystem;
  advertiser: string;
}

/** Shows the server the solved captcha. Only a reply of exactly `true` is a pass. */
export async function verifyCaptcha({ token, hwid, os, advertiser }: CaptchaAnswer): Promise<CaptchaReply> {
  try {
    const body = { 'g-recaptcha-response': token, hwid, OS: os, advertiser };
    const response = await fetch('/api/v2/verify-captcha', postJson(body));
    const retryAt = retryAtOf(response);
    if (response.status >= 500) return { outcome: 'no answer', retryAt };

    return { outcome: (await response.text()) === 'true' ? 'passed' : 'failed', retryAt };
  } catch {
    return { outcome: 'no answer' };
  }
}
