import type { OperatingSystem } from '@app/contracts/key-system';
import { postJson } from '@app/platform';

export type CaptchaOutcome = 'passed' | 'failed' | 'no answer';

interface CaptchaAnswer {
  token: string;
  hwid: string;
  os: OperatingSystem;
  advertiser: string;
}

/** Shows the server the solved captcha. Only a reply of exactly `true` is a pass. */
export async function verifyCaptcha({ token, hwid, os, advertiser }: CaptchaAnswer): Promise<CaptchaOutcome> {
  try {
    const body = { 'g-recaptcha-response': token, hwid, OS: os, advertiser };
    const response = await fetch('/api/v2/verify-captcha', postJson(body));
    if (response.status >= 500) return 'no answer';

    return (await response.text()) === 'true' ? 'passed' : 'failed';
  } catch {
    return 'no answer';
  }
}
