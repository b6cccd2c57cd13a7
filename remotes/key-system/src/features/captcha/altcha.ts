import 'altcha/altcha.css';
import 'altcha/external';
import './altcha-looks.css';
import type { CreateWidget } from './widget.ts';

interface AltchaElement extends HTMLElement {
  reset: () => void;
  verify: () => Promise<unknown>;
}

// The work is done off the page's thread, by a file of our own that a strict policy lets through.
globalThis.$altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker(new URL('altcha/workers/pbkdf2', import.meta.url)));

const CONFIGURATION = { hideFooter: true, hideLogo: true, humanInteractionSignature: false, minDuration: 0 };

/** Our own captcha: it fetches its challenge and solves it by itself, as soon as it is there. */
export const createAltcha: CreateWidget = (place, { hwid, os }, tell) => {
  const widget = document.createElement('altcha-widget') as AltchaElement;
  let isSolved = false;

  widget.setAttribute('challenge', `/api/captcha/challenge?${new URLSearchParams({ hwid, os })}`);
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
    if (state === 'error') tell({ type: 'failed' });
  });
  place.append(widget);

  return Promise.resolve({
    reset() {
      widget.reset();
      if (isSolved) void widget.verify();
      isSolved = false;
    },
  });
};
