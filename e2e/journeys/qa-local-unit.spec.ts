import type { Page } from '@playwright/test';
import { editSite } from '../fixtures/editing.ts';
import { enterQa, QA_ACCESS_KEY } from '../fixtures/enter-qa.ts';
import { expect, test } from '../fixtures/site.ts';

const FORM = 'remotes/tools/src/features/encrypter/encrypt-form.tsx';

test.use({ settings: { QA_ACCESS_KEY } });

async function useComputer(page: Page, unit: string, port: string) {
  await page.getByRole('combobox', { name: 'Unit from your computer' }).selectOption(unit);
  await page.getByLabel('Port on localhost').fill(port);
  await page.getByRole('button', { name: 'Use it' }).click();
}

const badge = (page: Page) => page.getByRole('complementary', { name: 'Quality' });

test('QA sees a unit from their own computer in the real page, anew after each edit, and ends it', async ({
  page,
  browser,
  site,
}) => {
  const edited = await editSite('tools', '--against', site.url);
  const { port, host } = new URL(edited.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));

  try {
    await expect.poll(() => edited.done(), { timeout: 30_000 }).toContain('Ready on');
    await enterQa(page);
    await useComputer(page, 'tools', port);
    await expect(badge(page).getByText(`tools from ${host}`)).toBeVisible();

    await page.goto('/encrypter');
    await expect(page.locator('[data-unit="tools"]')).toHaveAttribute('data-source', 'local');
    await expect(page.getByRole('button', { name: 'Encrypt' })).toBeVisible();
    expect(asked.filter((url) => url.startsWith(`${site.url}/releases/tools/`))).toEqual([]);
    expect(asked.some((url) => url.startsWith(`${edited.url}/releases/tools/static/css/`))).toBe(true);

    edited.edit(FORM, "{t('encrypter.go')}", 'Go on');
    await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
    edited.edit(FORM, 'return (', 'return ((');
    await expect(badge(page).getByText('Syntax Error')).toBeVisible();
    edited.edit(FORM, 'return ((', 'return (');
    await expect(badge(page).getByText('Syntax Error')).toBeHidden();

    // From another page of the site it is loaded as well, and others have the usual one.
    await page.goto('/plans');
    await page.getByRole('link', { name: 'Encrypter' }).first().click();
    await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
    const other = await browser.newPage({ baseURL: site.url });
    await other.goto('/encrypter');
    await expect(other.getByRole('button', { name: 'Encrypt' })).toBeVisible();
    await other.close();

    await badge(page).getByRole('button', { name: 'End' }).click();
    await expect(page.locator('[data-unit="tools"]')).toHaveAttribute('data-source', 'stable');
    await expect(page.getByRole('button', { name: 'Encrypt' })).toBeVisible();
    await expect(badge(page)).toBeHidden();
  } finally {
    expect(await edited.end()).toEqual({ isAnythingLeft: false });
  }
});

test('a computer that does not answer is a page that did not load, with the way out, and blames no release', async ({
  page,
  site,
}) => {
  await enterQa(page);
  // Nothing listens there.
  await useComputer(page, 'tools', '1024');
  const away = badge(page).getByRole('button', { name: 'tools: localhost:1024 doesn’t answer' });
  await expect(away).toBeVisible();

  await page.goto('/encrypter', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'This page didn’t load' })).toBeVisible();
  await page.getByText('Details').click();
  await expect(page.getByText('Loading chunk tools failed')).toBeVisible();
  await expect(away).toBeVisible();

  const version = await page.evaluate(async () => {
    const answer = await fetch('/api/releases');
    const { units } = (await answer.json()) as { units: { unit: string; stable: string }[] };
    return units.find(({ unit }) => unit === 'tools')?.stable ?? '';
  });
  expect(await site.countFailed('tools', version)).toBe(0);

  await badge(page).getByRole('button', { name: 'End' }).click();
  await expect(page.getByRole('button', { name: 'Encrypt' })).toBeVisible();
});

test('a unit from the working copy is seen in the pages of another site, anew after each edit', async ({
  page,
  site,
}) => {
  const edited = await editSite('tools', '--against', site.url);
  try {
    await expect.poll(() => edited.done(), { timeout: 30_000 }).toContain('Ready on');
    await page.goto(`${edited.url}/encrypter`);
    edited.edit(FORM, "{t('encrypter.go')}", 'Go on');
    await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
    expect(edited.done()).toEqual(['Built tools']);

    const mistake = page.locator('#edited-unit-problem');
    edited.edit(FORM, 'return (', "if (Date.now() > 0) throw new Error('by mistake');\n  return (");
    for (const told of [() => mistake.innerText(), edited.said]) {
      await expect.poll(told).toMatch(/remotes\/tools\/src\/features\/encrypter\/encrypt-form\.tsx:\d+:\d+\n/);
      await expect.poll(told).toMatch(/> +\d+ \| +if \(Date\.now\(\) > 0\) throw new Error\('by mistake'\);/);
    }
    edited.edit(FORM, "if (Date.now() > 0) throw new Error('by mistake');\n  return (", 'return (');
    await expect(mistake).toBeHidden();

    // The site itself, and its other units, stay as they are.
    await page.getByRole('link', { name: 'Arceus X' }).click();
    await expect(page).toHaveURL(/\/index/);
    await page.goto(`${site.url}/encrypter`);
    await expect(page.getByRole('button', { name: 'Encrypt' })).toBeVisible();
  } finally {
    expect(await edited.end()).toEqual({ isAnythingLeft: false });
  }
});
