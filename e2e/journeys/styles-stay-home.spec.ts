import type { Page } from '@playwright/test';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

/** A page of each remote. */
const VISITED = ['/rosaverx', '/encrypter', '/developers', '/privacy-policy', '/plans', '/check-key'];

test('a visit to pages of every unit leaves the home page as it was, without a reload', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('html[data-started]')).toBeAttached();
  const before = await readStyles(page);
  expect(before.join().length).toBeGreaterThan(10_000);

  for (const path of VISITED) {
    await page.locator(`footer a[href="${path}"]`).first().click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/$/);
    await expect.poll(() => readStyles(page), path).toEqual(before);
  }
});

test('what gets the focus, or is led to, lies below the bar that sticks to the top', async ({ page }) => {
  await tellRunState(page, { step: 3 });
  await page.goto('/key-system-3?hwid=device-below-1&zone=zone-1');
  await expect(page.getByRole('link', { name: /^Complete/ })).toHaveAttribute('href', /./);
  expect(await findCovered(page, '[data-run-strip]')).toEqual([]);

  for (const path of ['/developers', '/privacy-policy']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Contents' })).toBeVisible();
    expect(await findCovered(page, 'main button[aria-haspopup="dialog"]'), path).toEqual([]);
  }
});

/** How elements look for which the page has no class, with every property, and the root and the body. */
function readStyles(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const frame = document.createElement('div');
    frame.innerHTML =
      '<h1>a</h1><h2>b</h2><p>c <a href="#d">d</a> <b>e</b></p><ul><li>f</li></ul><button>g</button><input><details><summary>h</summary></details>';
    document.body.append(frame);
    const read = (element: Element, names: Iterable<string>) => {
      const style = getComputedStyle(element);
      return `${element.tagName}: ${Array.from(names, (name) => `${name}: ${style.getPropertyValue(name)}`).join('; ')}`;
    };
    const of = [frame, ...frame.querySelectorAll('*')].map((element) => read(element, getComputedStyle(element)));
    frame.remove();
    const ofRoot = [
      'margin',
      'padding',
      'overflow-x',
      'overflow-y',
      'background-color',
      'color',
      'font',
      'scroll-padding',
    ];
    return [...of, read(document.documentElement, ofRoot), read(document.body, ofRoot)];
  });
}

/** Comes from below to each control and section of the page. Returns those that are covered by a bar then. */
function findCovered(page: Page, bar: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const bottom = () => document.querySelector(selector)?.getBoundingClientRect().bottom ?? Infinity;
    const after = [
      ...document.querySelectorAll<HTMLElement>('main :is(a, button, input, summary, section[id])'),
    ].filter((element) => element.checkVisibility() && !element.closest(`${selector}, [data-sticky-action], nav`));
    return after.flatMap((element) => {
      scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
      element.focus();
      element.scrollIntoView({ block: 'start', behavior: 'instant' });
      const { top } = element.getBoundingClientRect();
      return top < bottom() ? [`${element.outerHTML.slice(0, 80)} at ${String(top)} of ${String(bottom())}`] : [];
    });
  }, bar);
}
