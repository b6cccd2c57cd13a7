import type { Route } from '@playwright/test';
import { openRepository } from '../remotes/open-repository.ts';
import { watchProblems } from '../fixtures/problems.ts';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';

const BUILDERS = ['rspack', 'webpack', 'webpack-own', 'rsbuild', 'vite'];

/** All files of a version but its entry. */
const CHUNKS = (version: string) => new RegExp(`/releases/news/${version}/(?!remoteEntry).*\\.(?:js|css)`);
const cut = (route: Route) => route.abort();

for (const [nth, builder] of BUILDERS.entries())
  test.describe(`a unit that another team builds with ${builder}`, builder === 'rspack' ? {} : { tag: MATRIX }, () => {
    test('is published, shows its pages with their styles, is rolled back, and has previews', async ({
      page,
      site,
    }) => {
      // It builds several times.
      test.slow();
      const repository = await openRepository(site, builder);
      const [first, second] = [`1.${nth}.0`, `1.${nth}.1`];
      const problems = watchProblems(page, ['error']);

      repository.change(first, 'First news');
      expect(await repository.type('check')).toContain(`news@${first} can be published.`);
      expect(await repository.type('publish', '--promote')).toContain(`news: stable ${first}`);
      await page.goto('/news');
      await expect(page.getByRole('heading', { level: 1, name: 'First news' })).toBeVisible();
      await expect(page.locator('.news-start')).toHaveCSS('padding-top', '77px');
      await page.getByRole('button', { name: 'Read 0' }).click();
      await expect(page.getByRole('button', { name: 'Read 1' })).toBeVisible();

      await page.getByRole('link', { name: 'Archive' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Older news' })).toBeVisible();
      await expect(page).toHaveTitle(/Older news/);
      await expect(page.locator('.news-archive')).toHaveCSS('padding-top', '55px');

      repository.change(second, 'Second news');
      await repository.type('publish', '--canary', '100');
      await page.goto('/news');
      await expect(page.getByRole('heading', { level: 1, name: 'Second news' })).toBeVisible();
      await repository.type('promote');
      await repository.type('rollback');
      await page.goto('/news');
      await expect(page.getByRole('heading', { level: 1, name: 'First news' })).toBeVisible();

      repository.change(second, 'News of a branch');
      const preview = await repository.type('publish', '--preview');
      expect(preview).toContain(`news@${second}-preview.0a1b2c3d4e5f is published.`);
      await page.goto(preview.trim().split('\n').at(-1) ?? '');
      await expect(page.getByRole('heading', { level: 1, name: 'News of a branch' })).toBeVisible();
      expect(problems).toEqual([]);
      repository.close();
    });

    test(
      'gives way to its last good version where its chunks fail, in the same page',
      { tag: MATRIX },
      async ({ page, site }) => {
        // It builds twice.
        test.slow();
        const repository = await openRepository(site, builder);
        const [first, second] = [`2.${nth}.0`, `2.${nth}.1`];
        for (const version of [first, second]) {
          repository.change(version, `News ${version}`);
          await repository.type('publish', '--promote');
        }

        await page.goto('/news/archive');
        await page.route(CHUNKS(second), cut);
        await page.goto('/plans');
        await page.goto('/news');
        await expect(page.getByRole('heading', { level: 1, name: `News ${first}` })).toBeVisible();
        await expect(page.locator('.news-start')).toHaveCSS('padding-top', '77px');
        repository.close();
      },
    );

    test('says which chunk failed, and comes back by Retry', async ({ page, site }) => {
      const repository = await openRepository(site, builder);
      const version = `3.${nth}.0`;
      repository.change(version, 'News again');
      await repository.type('publish', '--promote');

      await page.route(CHUNKS('.*'), cut);
      await page.goto('/news');
      await page.getByText('Details', { exact: true }).click();
      await expect(page.getByText(/^Loading chunk \S+ failed \((?:error|missing)\)$/)).toBeVisible();
      await page.unroute(CHUNKS('.*'), cut);
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'News again' })).toBeVisible();
      repository.close();
    });
  });
