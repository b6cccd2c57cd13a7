import type { OperatingSystem } from '@app/contracts/key-system';
import type { Challenge } from 'altcha-lib';

/** Whom a captcha is solved for; to another device it is worth nothing. */
export interface CaptchaSubject {
  hwidHmac: string;
  os: OperatingSystem;
}

/** Who checks that a visitor is no machine. */
export interface CaptchaProvider {
  id: 'altcha' | 'recaptcha';
  /**
   * A puzzle for one device, `costFactor` times as dear as usual.
   * Missing where the provider's widget brings puzzles of its own.
   */
  challenge?: (subject: CaptchaSubject, costFactor: number) => Promise<Challenge>;
  /**
   * Gives what names the solved captcha, or undefined when it is not a fresh, right one for this subject.
   * @throws ProviderError when nobody can say
   */
  verify: (token: string, subject: CaptchaSubject) => Promise<string | undefined>;
}
