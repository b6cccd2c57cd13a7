import { ADVERTISER_NAMES, type AdvertiserId } from '@app/contracts/key-system';
import type { Response } from 'express';
import { escapeHtml, sendSandboxPage } from '#api/foundation/http/html.ts';

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

/** Reads the misbehaviour of a pressed button; undefined for the button that continues. */
export function parseMisbehaviour(value: unknown): Misbehaviour | undefined {
  return (Object.keys(MISBEHAVIOURS) as Misbehaviour[]).find((name) => name === value);
}

interface Visit {
  id: AdvertiserId;
  countdownMs: number;
  /** Hidden fields that the form sends to `/finish`. */
  fields: Readonly<Record<string, string>>;
  misbehaviours: readonly Misbehaviour[];
}

/** Sends the page of a fake advertiser: a countdown, a button to continue, and a button for each misbehaviour. */
export function sendVisitPage(res: Response, { id, countdownMs, fields, misbehaviours }: Visit): void {
  const name = escapeHtml(ADVERTISER_NAMES[id]);
  const hidden = Object.entries(fields).map(
    ([field, value]) => `<input type="hidden" name="${field}" value="${escapeHtml(value)}">`,
  );
  const wrongs = misbehaviours.map(
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
<fieldset>
<legend>Misbehave</legend>
${wrongs.join('\n')}
</fieldset>
</form>`,
  });
}
