import type { OperatingSystem } from '@app/contracts/key-system';

/** What a widget tells of itself. */
export type CaptchaEvent =
  { type: 'solved'; token: string } | { type: 'expired' } | { type: 'failed' } | { type: 'limited'; until: number };

export interface CaptchaWidget {
  /** Back to unsolved. What had solved itself does so again; the rest waits for the visitor. */
  reset: () => void;
}

export interface CaptchaSubject {
  hwid: string;
  os: OperatingSystem;
}

/**
 * Puts a widget into an empty place; taking everything out of the place removes it.
 * Rejects when the widget's code does not come.
 */
export type CreateWidget = (
  place: HTMLElement,
  subject: CaptchaSubject,
  tell: (event: CaptchaEvent) => void,
) => Promise<CaptchaWidget>;
