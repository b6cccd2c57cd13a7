import express from 'express';
import { expect, test } from 'vitest';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { listen } from '#api/test/listen.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { federationRoutes } from '#api/delivery/serving/federation.routes.ts';
import { selectReleases } from '#api/delivery/serving/release-selection.ts';
import { pagesRoutes } from './pages.routes.ts';

const VIETNAMESE = { 'accept-language': 'vi-VN,vi;q=0.9,en;q=0.5' };

/** A site in English and Vietnamese. */
async function openSite() {
  const selection = selectReleases(
    buildSnapshot([
      buildRelease('shell', { translations: { vi: { script: 'shell-vi.js' } } }),
      buildRelease('marketing', {
        routes: [buildRoute('/plans')],
        translations: { vi: { script: 'plans-vi.js' } },
        files: { 'plans-vi.js': { sha384: 'texts', bytes: 1 } },
      }),
    ]),
  );
  const select = () => selection;
  const pages = pagesRoutes({ select, settings: SITE_SETTINGS, baseUrl: () => 'https://site.example' });
  const origin = await listen(express().use(federationRoutes({ select }), pages));

  return async (path: string, headers: Record<string, string> = {}) => {
    const res = await fetch(origin + path, { headers });
    const text = await res.text();
    return { headers: res.headers, text, language: /<html lang="(\w+)"/.exec(text)?.[1] };
  };
}

test.each([
  ['vi', {}],
  ['en', VIETNAMESE],
])('an address that names "%s" gets that language, and the browser keeps it for a year', async (lang, headers) => {
  const ask = await openSite();
  const { language, ...answer } = await ask(`/plans?hwid=device-1&lang=${lang}`, headers);

  expect(language).toBe(lang);
  expect(answer.headers.get('set-cookie')).toMatch(
    new RegExp(`^lang=${lang}; Max-Age=31536000; Path=/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$`),
  );
  expect(answer.headers.get('cache-control')).toBe('private, no-cache');
});

test('what the browser prefers is no choice: nothing is kept, and caches tell the languages apart', async () => {
  const ask = await openSite();
  const { language, headers } = await ask('/plans', VIETNAMESE);

  expect(language).toBe('vi');
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('vary')?.split(', ')).toContain('Accept-Language');
  expect((await ask('/plans')).language).toBe('en');
});

test('an open page learns where the texts of the other units are in its language, with their hash', async () => {
  const ask = await openSite();
  const textsOf = async (path: string, headers = {}) =>
    (JSON.parse((await ask(path, headers)).text) as { units: Record<string, object> }).units['marketing'];
  const translations = { url: '/releases/marketing/0.1.0/plans-vi.js', integrity: 'sha384-texts' };

  expect(await textsOf('/federation/resolution?for=/plans', VIETNAMESE)).toMatchObject({ translations });
  expect(await textsOf('/federation/resolution?for=/plans?lang=vi')).toMatchObject({ translations });
  expect(await textsOf('/federation/resolution?for=/plans')).not.toHaveProperty('translations');
});
