import express, { type Request } from 'express';
import { expect, test } from 'vitest';
import { buildRelease, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { chooseReleases } from './visitor-choice.ts';
import { chooseLanguage } from './visitor-language.ts';

/** A request with these headers, as Express hands it to routes. */
function requestWith(headers: Record<string, string | undefined>): Request {
  return Object.assign(Object.create(express.request) as Request, { headers });
}

const TRANSLATIONS = { vi: { script: 'vi.js' }, it: { script: 'it.js' } };
const CHOICE = chooseReleases(buildSnapshot([buildRelease('shell', { translations: TRANSLATIONS })]));

test.each<[string, { address?: string; cookie?: string; accept?: string }, string | undefined]>([
  ['the browser prefers one', { accept: 'vi-VN,vi;q=0.9,en;q=0.5' }, 'vi'],
  ['the browser prefers the original to it', { accept: 'en-US,vi;q=0.5' }, undefined],
  ['the browser prefers one that the site lacks', { accept: 'fr,it;q=0.4,en;q=0.2' }, 'it'],
  ['the browser takes only languages that the site lacks', { accept: 'fr' }, undefined],
  ['the browser takes any', { accept: '*' }, undefined],
  ['the browser says nothing', {}, undefined],
  ['the visitor has chosen another than the browser prefers', { cookie: 'lang=it', accept: 'vi' }, 'it'],
  ['the visitor has chosen the original', { cookie: 'a=1; lang=en', accept: 'vi' }, undefined],
  ['the visitor has chosen one that is gone', { cookie: 'lang=xx', accept: 'vi' }, 'vi'],
  ['the address names one', { address: '/plans?hwid=a&lang=it', cookie: 'lang=vi', accept: 'vi' }, 'it'],
  ['the address names the original', { address: '/plans?lang=en', cookie: 'lang=vi' }, undefined],
  ['the address names nonsense', { address: '/plans?lang=__proto__', cookie: 'lang=vi' }, 'vi'],
])('where %s, the page has the right language', (_, { address = '/plans', cookie, accept }, language) => {
  expect(chooseLanguage(requestWith({ cookie, 'accept-language': accept }), CHOICE, address)).toBe(language);
});

test('a shell without translations has the original language alone', () => {
  const choice = chooseReleases(buildSnapshot([buildRelease('shell')]));

  expect(chooseLanguage(requestWith({ 'accept-language': 'vi' }), choice, '/plans?lang=vi')).toBeUndefined();
});
