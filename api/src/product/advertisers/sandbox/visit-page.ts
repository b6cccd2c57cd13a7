import { ADVERTISER_NAMES, type AdvertiserId } from '@app/contracts/advertisers';
import type { Response } from 'express';
import { escapeHtml } from '#api/foundation/http/html.ts';
import { sendSandboxPage } from '#api/foundation/http/interstitial.ts';
import { AppError } from '#api/foundation/http/app-error.ts';

export interface SandboxDeps {
  baseUrl: () => string;
  /** The origin under which this server can call itself. */
  selfOrigin: () => string;
  /** How long a visitor has to stay on the advertiser's page, in milliseconds. */
  countdownMs: (id: AdvertiserId) => Promise<number>;
  now: () => number;
}

/** What a fake advertiser can do wrong on request, with the label of its button. */
export const MISBEHAVIOURS = {
  wrong_proof: 'Wrong proof',
  no_proof: 'No proof',
  same_proof: 'Same proof again',
  no_postback: 'No postback',
  postback_first: 'Postback first',
  twice: 'Postback twice',
  late: 'Late proof',
  early: 'Return at once',
} as const;

export type Misbehaviour = keyof typeof MISBEHAVIOURS;

/** Undefined for the button that continues. */
export function parseMisbehaviour(value: unknown): Misbehaviour | undefined {
  return (Object.keys(MISBEHAVIOURS) as Misbehaviour[]).find((name) => name === value);
}

const WITH_TOKEN: readonly Misbehaviour[] = ['wrong_proof', 'no_proof', 'same_proof', 'late', 'early'];

/** What each advertiser can do wrong; the return address alone can only come early. */
const ADVERTISER_MISBEHAVIOURS: Partial<Record<AdvertiserId, readonly Misbehaviour[]>> = {
  linkvertise: WITH_TOKEN,
  workink: WITH_TOKEN,
  lootlabs: ['no_postback', 'postback_first', 'twice', 'wrong_proof', 'same_proof', 'late', 'early'],
};

interface Visit {
  id: AdvertiserId;
  countdownMs: number;
  /** Hidden fields that the form sends to `/finish`. */
  fields: Readonly<Record<string, string>>;
}

export function sendVisitPage(res: Response, { id, countdownMs, fields }: Visit): void {
  const name = escapeHtml(ADVERTISER_NAMES[id]);
  const hidden = Object.entries(fields).map(
    ([field, value]) => `<input type="hidden" name="${field}" value="${escapeHtml(value)}">`,
  );
  const wrongs = (ADVERTISER_MISBEHAVIOURS[id] ?? ['early' as const]).map(
    (how) => `<button name="how" value="${how}"${how === 'early' ? '' : ' disabled'}>${MISBEHAVIOURS[how]}</button>`,
  );

  sendSandboxPage(res, {
    title: ADVERTISER_NAMES[id],
    stylesheet: '/dev/advertiser/sandbox.css',
    script: '/dev/advertiser/sandbox.js',
    main: `<p class="label">Sandbox advertiser</p>
<h1>${name}</h1>
<p>This page stands in for ${name} while developing. It shows no advertisement and earns nothing.</p>
<form action="/dev/advertiser/${id}/finish" data-countdown-ms="${countdownMs}">
${hidden.join('\n')}
<p role="timer"></p>
<button class="continue" disabled>Continue</button>
<noscript><p>Nothing counts down without JavaScript. Press “Return at once”: the site waits for the rest.</p></noscript>
<fieldset>
<legend>Misbehave</legend>
${wrongs.join('\n')}
</fieldset>
</form>`,
  });
}

export const SCRIPT = `const form = document.querySelector('form');
const timer = document.querySelector('[role=timer]');
const endsAt = performance.now() + Number(form.dataset.countdownMs);

function tick() {
  const left = endsAt - performance.now();
  timer.textContent = left > 0 ? 'Continue in ' + Math.ceil(left / 1000) + ' s' : 'You can continue.';
  if (left > 0) return void setTimeout(tick, Math.min(left, 250));
  for (const button of form.querySelectorAll('button')) button.disabled = false;
}

tick();
`;

/** @throws AppError `request.invalid` when the address does not lead to this site */
export function parseReturnUrl(address: string | undefined, baseUrl: string): URL {
  if (address !== undefined && URL.canParse(address)) {
    const url = new URL(address);
    if (url.origin === baseUrl) return url;
  }
  throw new AppError('request.invalid', 'The sandbox knows no such visit.');
}
