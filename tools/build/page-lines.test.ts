import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES, ORIGINAL_LANGUAGE } from '../../shared/contracts/src/languages.ts';
import type { Routes } from '../../shared/contracts/src/pages.ts';
import type { Unit } from '../../shared/contracts/src/unit.ts';
import { findPageProblems } from './release-plugin.ts';
import { listUnitFolders } from './units.ts';

const UNITS: [Unit, Routes][] = await Promise.all(
  listUnitFolders().map(async (folder): Promise<[Unit, Routes]> => {
    const file = folder === 'shell' ? 'src/pages/routes.ts' : 'src/routes.ts';
    const { routes } = (await import(`../../${folder}/${file}`)) as { routes: Routes };
    return [basename(folder), routes];
  }),
);

const PAGES = UNITS.flatMap(([, routes]) => Object.entries(routes));

test.each(UNITS)(
  'every page of %s says its title, description, picture and place in the sitemap in its line',
  (unit, routes) => {
    expect(findPageProblems(unit, routes)).toEqual([]);
  },
);

const LINE = {
  page: 'new-page',
  title: 'New',
  shareTitle: 'What is new',
  description: 'What is new.',
  picture: 'tools',
  canonical: null,
} as const;

test.each(['title', 'shareTitle', 'description', 'picture', 'canonical'])('a page without %s is named', (field) => {
  const routes = { '/new': { ...LINE, [field]: undefined } } as unknown as Routes;

  expect(findPageProblems('tools', routes)).toEqual([
    expect.stringMatching(`^/new has no ${field}: its line in the routes.ts of tools needs `),
  ]);
});

test('a title that the words of the specification overrule is named', () => {
  expect(findPageProblems('tools', { '/plans-new': LINE })).toEqual([
    '/plans-new is titled "Arceus Team | Upgrade plan" by the words of the specification: its line in the routes.ts of tools says "New"',
  ]);
});

test('every picture exists in every language, and every canonical path is a page whose canonical path is its own', () => {
  const listed = new Map(PAGES.map(([path, { canonical }]) => [path, canonical]));

  for (const [path, { picture, canonical }] of PAGES) {
    for (const language of Object.keys(LANGUAGES)) {
      const file = `${language === ORIGINAL_LANGUAGE ? '' : `${language}/`}${picture}.jpg`;
      expect(existsSync(`api/pictures/share/${file}`), `${path} is shared with ${file}`).toBe(true);
    }
    if (canonical !== null) expect(listed.get(canonical), `${path} is listed as ${canonical}`).toBe(canonical);
  }
});

test('pages of one visitor are not in the sitemap', () => {
  const kept = PAGES.filter(([path]) => /key-system|success|errorV5|failed|gate|reset-devices|claim-plan/i.test(path));

  expect(kept.length).toBeGreaterThan(15);
  for (const [path, { canonical }] of kept) expect(canonical, path).toBeNull();
});

test('no two listed pages share the title of their links', () => {
  const listed = PAGES.filter(([path, { canonical }]) => canonical === path);
  const titles = listed.map(([, { shareTitle }]) => shareTitle);

  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

test('the sitemap lists exactly the public pages, each by one path', () => {
  const listed = new Set(PAGES.flatMap(([, { canonical }]) => canonical ?? []));

  expect([...listed]).toEqual([
    '/rosaverx',
    '/check-key',
    '/v5',
    '/neo',
    '/arceusxv3',
    '/plans',
    '/resellers',
    '/redeem',
    '/privacy-policy',
    '/encrypter',
    '/portfolio',
    '/developers',
    '/errors',
    '/status',
  ]);
});
