import 'altcha/altcha.css';
import 'altcha/external';
import './widget.css';
import type { OperatingSystem } from '@app/contracts/key-system';

export type CaptchaState = 'code' | 'error' | 'verified' | 'verifying' | 'unverified' | 'expired';

interface WidgetOptions {
  hwid: string;
  os: OperatingSystem;
  onStateChange: (state: CaptchaState, payload: string | undefined) => void;
}

// The work is done off the page's thread, by a file of our own that a strict policy lets through.
globalThis.$altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker(new URL('altcha/workers/pbkdf2', import.meta.url)));

/** The ALTCHA widget for one device: it fetches its challenge, solves it on its own and renews it when it runs out. */
export function createWidget({ hwid, os, onStateChange }: WidgetOptions): HTMLElement {
  const widget = document.createElement('altcha-widget');
  widget.setAttribute('challenge', `/api/captcha/challenge?${new URLSearchParams({ hwid, os })}`);
  widget.setAttribute('auto', 'onload');
  widget.setAttribute('name', 'g-recaptcha-response');
  widget.setAttribute(
    'configuration',
    JSON.stringify({ hideFooter: true, hideLogo: true, humanInteractionSignature: false, minDuration: 0 }),
  );
  widget.addEventListener('statechange', (event) => {
    const { state, payload } = (event as CustomEvent<{ state: CaptchaState; payload?: string }>).detail;
    onStateChange(state, payload);
  });
  return widget;
}
