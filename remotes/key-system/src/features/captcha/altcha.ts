import 'altcha/altcha.css';
import 'altcha/external';
import './altcha-looks.css';
import { retryAtOf, withQuery } from '@app/platform';
import type { CreateWidget } from './widget.ts';

interface AltchaElement extends HTMLElement {
  reset: () => void;
  verify: () => Promise<unknown>;
}

// The work is done off the page's thread, by a file of our own that a strict policy lets through.
globalThis.$altcha.algorithms.set(
  'PBKDF2/SHA-256',
  () => new Worker(new URL('altcha/workers/pbkdf2', import.meta.url)),
);

/** When the server gives puzzles again, by this device's clock; undefined while it does. */
let limitedUntil: number | undefined;

globalThis.$altcha.defaults.set({
  async fetch(...asked: Parameters<typeof fetch>) {
    const response = await fetch(...asked);
    limitedUntil = response.status === 429 ? retryAtOf(response) : undefined;
    return response;
  },
});

const CONFIGURATION = { hideFooter: true, hideLogo: true, humanInteractionSignature: false, minDuration: 0 };

/** Our own captcha: it fetches its challenge and solves it by itself, as soon as it is there. */
export const createAltcha: CreateWidget = (place, { hwid, os }, tell) => {
  const widget = document.createElement('altcha-widget') as AltchaElement;
  let isSolved = false;

  widget.setAttribute('challenge', withQuery('/api/captcha/challenge', { hwid, os }));
  widget.setAttribute('auto', 'onload');
  widget.setAttribute('name', 'g-recaptcha-response');
  widget.setAttribute('configuration', JSON.stringify(CONFIGURATION));
  widget.addEventListener('statechange', (event) => {
    const { state, payload } = (event as CustomEvent<{ state: string; payload?: string }>).detail;

    if (state === 'verified' && payload) {
      isSolved = true;
      tell({ type: 'solved', token: payload });
    }
    // A clock that is fast says so while it is still at work; the solution is good all the same.
    if (state === 'expired' && isSolved) tell({ type: 'expired' });
    if (state === 'error')
      tell(limitedUntil === undefined ? { type: 'failed' } : { type: 'limited', until: limitedUntil });
  });
  place.append(widget);

  return Promise.resolve({
    reset() {
      widget.reset();
      if (isSolved || limitedUntil !== undefined) void widget.verify();
      isSolved = false;
    },
  });
};
