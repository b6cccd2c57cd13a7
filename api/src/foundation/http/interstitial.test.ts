import { ERROR_CODES } from '@app/contracts/errors';
import express from 'express';
import { expect, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { sendInterstitial } from './interstitial.ts';
import EN from './interstitials.en.json' with { type: 'json' };

test.each([
  { length: 4096, names: true },
  { length: 4097, names: false },
])('whether the Refresh header contains an address of $length characters: $names', async (address) => {
  const to = `/api/${'x'.repeat(address.length - '/api/'.length)}`;
  const origin = await listen(
    express().get('/', (_req, res) =>
      sendInterstitial(res, { title: 'Going on', text: 'At once.', refreshInSeconds: 0, refreshTo: to }),
    ),
  );

  expect((await fetch(origin)).headers.get('refresh')).toBe(address.names ? `0; url=${to}` : '0');
});

test.each([
  { seconds: 15, bar: '.bar rect{animation-duration:15s}' },
  { seconds: 0, bar: undefined },
])('a page that goes on by itself in $seconds s has a bar that fills meanwhile: $bar', async ({ seconds, bar }) => {
  const origin = await listen(
    express().get('/', (_req, res) =>
      sendInterstitial(res, { title: 'Almost there', text: 'Wait.', refreshInSeconds: seconds }),
    ),
  );

  const page = await (await fetch(origin)).text();
  expect(/<style>(.*)<\/style>/.exec(page)?.[1]).toBe(bar);
  expect(page.includes('class="bar"')).toBe(bar !== undefined);
});

test('every error has a text for players, except those that only programs and teams get', () => {
  const ofPrograms = /^release\.|^stats\.|^QA_|^route\.method$|^request\.version$|^PAY_SIGNATURE$/;

  expect(Object.keys(EN.problem.texts)).toEqual(ERROR_CODES.filter((code) => !ofPrograms.test(code)));
});
