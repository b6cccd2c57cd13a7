import type { OperatingSystem } from '@app/contracts/key-system';

/** An event of a widget; `lost`: nothing of it is to be seen. `until` is in epoch milliseconds by this device's clock. */
export type CaptchaEvent =
  { type: 'solved'; token: string } | { type: 'expired' | 'failed' | 'lost' } | { type: 'limited'; until: number };

export interface CaptchaWidget {
  /**
   * Makes the widget unsolved again. The site's own captcha then solves itself again; reCAPTCHA waits for the visitor.
   */
  reset: () => void;
}

export interface CaptchaSubject {
  hwid: string;
  os: OperatingSystem;
}

/**
 * Puts a widget into an empty element. Emptying the element removes the widget.
 * Rejects when the code of the widget does not load.
 */
export type CreateWidget = (
  place: HTMLElement,
  subject: CaptchaSubject,
  tell: (event: CaptchaEvent) => void,
) => Promise<CaptchaWidget>;
