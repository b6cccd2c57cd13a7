import { hydrated } from '../fixtures/held-page.ts';
import { expect, test } from '../fixtures/site.ts';

test.use({ viewport: { width: 360, height: 740 }, contextOptions: { forcedColors: 'active' } });

/** Whether an element is painted in another colour than the page. */
const isFilled = (element: Element) =>
  getComputedStyle(element).backgroundColor !== getComputedStyle(document.body).backgroundColor;
const isDrawn = (shape: Element) => getComputedStyle(shape).fill !== getComputedStyle(document.body).backgroundColor;
const outline = (element: Element) => getComputedStyle(element).outlineStyle;

test('with forced colours the menu, the progress and the chosen advertiser are seen', async ({ page }) => {
  await page.goto('/key-system-1?hwid=device-forced&zone=zone-1');
  await expect(page.locator('[data-run-strip]')).toBeVisible();

  const bars = page.getByLabel('Menu', { exact: true }).locator('span').first();
  expect(await bars.evaluate(isFilled)).toBe(true);
  const tooth = page.locator('[data-run-strip] [data-state="now"] > path').last();
  expect(await tooth.evaluate(isDrawn)).toBe(true);
  const chosen = page.locator('[name=advertiser]:checked');
  await expect(chosen).toHaveCount(1);
  expect(await chosen.evaluate(outline)).toBe('solid');
  expect(await page.locator('[name=advertiser]:not(:checked)').first().evaluate(outline)).toBe('none');
});

for (const colorScheme of ['dark', 'light'] as const)
  test(`with forced colours on a ${colorScheme} ground the captcha’s tick and every icon have the colour of the text`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/key-system-1?hwid=device-forced&zone=zone-1', '/plans', '/neo', '/v5']) {
      await page.goto(path);
      await expect(hydrated(page)).toBeVisible();
      if (path.includes('hwid')) await expect(page.getByRole('checkbox')).toBeChecked();

      const strays = await page
        .locator('svg')
        .evaluateAll((all) =>
          all
            .filter((svg) => getComputedStyle(svg).color !== getComputedStyle(svg.parentElement ?? svg).color)
            .map(({ parentElement }) => parentElement?.className),
        );
      expect(strays).toEqual([]);
    }
  });

test('with forced colours the slide that is shown is marked', async ({ page }) => {
  await page.goto('/rosaverx');
  const captions = page.locator('label').filter({ hasText: /^(Basic|Plus|Premium)$/ });
  await expect(captions).toHaveCount(3);
  const lines = () => captions.evaluateAll((all) => all.map((one) => getComputedStyle(one).textDecorationLine));

  await captions.nth(1).click();
  await expect.poll(lines).toEqual(['none', 'underline', 'none']);
});

for (const path of [
  '/v5',
  '/plans',
  '/developers',
  '/rosaverx',
  '/portfolio',
  '/key-system-1?hwid=device-forced&zone=zone-1',
])
  test(`with forced colours controls keep a shape, and what is chosen is marked: ${path}`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'none' });
    await page.goto(path);
    await expect(hydrated(page)).toBeVisible();
    await page.getByLabel('Menu', { exact: true }).click();
    const filled = page.locator('main :is(a, button, button > *, summary)');
    await filled.evaluateAll((elements) => {
      for (const element of elements) {
        const { backgroundColor, backgroundImage } = getComputedStyle(element);
        // A button all over a picture has its shape from what is in it.
        const isFilled =
          backgroundColor !== 'rgba(0, 0, 0, 0)' ||
          (backgroundImage !== 'none' && !element.firstElementChild?.firstElementChild);
        element.toggleAttribute('data-filled', isFilled);
      }
    });

    await page.emulateMedia({ forcedColors: 'active' });
    const shapeless = await page.locator('[data-filled]').evaluateAll((elements) =>
      elements
        .filter((element) => {
          const { borderTopStyle, outlineStyle } = getComputedStyle(element);
          return borderTopStyle === 'none' && outlineStyle === 'none';
        })
        .map(({ textContent, className }) => `${textContent} .${className}`),
    );
    expect(shapeless).toEqual([]);
    const chosen = page.locator(
      '[aria-selected="true"], [aria-pressed="true"], a[aria-current], button[aria-current="true"]',
    );
    expect(await chosen.count()).toBe(
      await chosen.evaluateAll((all) => all.filter((one) => getComputedStyle(one).outlineStyle === 'solid').length),
    );
  });
