import 'altcha/altcha.css';
import 'altcha/external';
import './altcha-looks.css';
import { fetchInTime, retryAtOf, withQuery } from '@app/platform';
import { t } from './words.ts';
import { withRetries, type CreateWidget } from './widget.ts';

interface AltchaElement extends HTMLElement {
  reset: () => void;
  verify: () => Promise<unknown>;
}

// The widget solves the challenge in a worker. Its code is a file of our own site, as the Content-Security-Policy
// requires.
globalThis.$altcha.algorithms.set(
  'PBKDF2/SHA-256',
  () => new Worker(new URL('altcha/workers/pbkdf2', import.meta.url)),
);

/** When the server gives challenges again, in epoch milliseconds by this device's clock; undefined without a limit. */
let limitEndsAt: number | undefined;

globalThis.$altcha.defaults.set({
  fetch: (url: RequestInfo | URL, init: RequestInit = {}) =>
    withRetries(() => {
      limitEndsAt = undefined;
      return fetchInTime(url, init, async (response) => {
        if (!response.ok) limitEndsAt = retryAtOf(response);
        if (response.status >= 500 && limitEndsAt === undefined) throw new Error(`The puzzle: ${response.status}`);
        return new Response(await response.text(), response);
      });
    }),
});

const CONFIGURATION = { hideFooter: true, hideLogo: true, humanInteractionSignature: false, minDuration: 0 };

/** Creates the captcha that the site runs itself. It fetches a challenge and solves it without the visitor. */
export const createAltcha: CreateWidget = (place, { hwid, os }, onEvent) => {
  const widget = document.createElement('altcha-widget') as AltchaElement;
  let isSolved = false;

  // The widget has English texts only. These are all that it shows here.
  globalThis.$altcha.i18n.set(document.documentElement.lang, {
    error: t('captcha.widget.error'),
    expired: t('captcha.widget.expired'),
    label: t('captcha.widget.label'),
    verified: t('captcha.widget.verified'),
    verifying: t('captcha.widget.verifying'),
  });
  widget.setAttribute('challenge', withQuery('/api/captcha/challenge', { hwid, os }));
  widget.setAttribute('auto', 'onload');
  widget.setAttribute('name', 'g-recaptcha-response');
  widget.setAttribute('configuration', JSON.stringify(CONFIGURATION));
  widget.addEventListener('statechange', (event) => {
    const { state, payload } = (event as CustomEvent<{ state: string; payload?: string }>).detail;

    if (state === 'verified' && payload) {
      isSolved = true;
      onEvent({ type: 'solved', token: payload });
    }
    // With a fast clock the widget reports `expired` while it still solves. The solution is valid nevertheless.
    if (state === 'expired' && isSolved) onEvent({ type: 'expired' });
    if (state === 'error')
      onEvent(limitEndsAt === undefined ? { type: 'failed' } : { type: 'limited', until: limitEndsAt });
  });
  place.append(widget);

  return Promise.resolve({
    reset() {
      widget.reset();
      if (isSolved || limitEndsAt !== undefined) void widget.verify();
      isSolved = false;
    },
  });
};
