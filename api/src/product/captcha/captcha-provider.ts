import type { OperatingSystem } from '@app/contracts/key-system';
import type { Challenge } from 'altcha-lib';

/** The device that a captcha is solved for. For another device the solution is worth nothing. */
export interface CaptchaSubject {
  hwidHmac: string;
  os: OperatingSystem;
}

/** Checks that a visitor is no machine. */
export interface CaptchaProvider {
  id: 'altcha' | 'recaptcha';
  /**
   * Makes a puzzle for one device, which costs `costFactor` times the usual computing time. Missing where the
   * provider's own widget brings the puzzle.
   */
  challenge?: (subject: CaptchaSubject, costFactor: number) => Promise<Challenge>;
  /**
   * Checks a solution.
   * @returns an identifier of the solved captcha; undefined when the solution is wrong, too old, or for another subject
   * @throws ProviderError when the provider does not answer
   */
  verify: (token: string, subject: CaptchaSubject) => Promise<string | undefined>;
}
