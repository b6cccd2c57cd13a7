import { editSite } from '../fixtures/editing.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { expect, test } from '../fixtures/site.ts';

const FORM = 'remotes/tools/src/features/encrypter/encrypt-form';

test(
  'a unit from the working copy is seen in the pages of another site, anew after each edit',
  { tag: MATRIX },
  async ({ page, site }) => {
    const edited = await editSite('tools', '--against', site.url);

    try {
      await expect.poll(() => edited.done(), { timeout: 30_000 }).toContain('Ready on');
      await page.goto(`${edited.url}/encrypter`);
      await expect(page.getByRole('button', { name: 'Encrypt' })).toBeVisible();

      edited.edit(`${FORM}.tsx`, "{t('encrypter.go')}", 'Go on');
      await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
      expect(edited.done()).toEqual(['Built tools']);

      const mistake = page.locator('#edited-unit-problem');
      edited.edit(`${FORM}.tsx`, 'return (', 'return ((');
      await expect(mistake).toContainText('Syntax Error');
      edited.edit(`${FORM}.tsx`, 'return ((', 'return (');
      await expect(mistake).toBeHidden();

      edited.edit(`${FORM}.tsx`, 'return (', "if (Date.now() > 0) throw new Error('by mistake');\n  return (");
      await expect(mistake).toContainText('by mistake');
      for (const told of [() => mistake.innerText(), edited.said]) {
        await expect.poll(told).toMatch(/remotes\/tools\/src\/features\/encrypter\/encrypt-form\.tsx:\d+:\d+\n/);
        await expect.poll(told).toMatch(/> +\d+ \| +if \(Date\.now\(\) > 0\) throw new Error\('by mistake'\);/);
      }
      edited.edit(`${FORM}.tsx`, "if (Date.now() > 0) throw new Error('by mistake');\n  return (", 'return (');
      await expect(mistake).toBeHidden();
      await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();

      // The site itself, and its other units, stay as they are.
      await page.getByRole('link', { name: 'Arceus X' }).click();
      await expect(page).toHaveURL(/\/index/);
      await page.goto(`${site.url}/encrypter`);
      await expect(page.getByRole('button', { name: 'Encrypt' })).toBeVisible();
    } finally {
      expect(await edited.end()).toEqual({ isAnythingLeft: false });
    }
  },
);
