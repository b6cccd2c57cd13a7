import type { Page } from '@playwright/test';
import { MATRIX } from '../fixtures/matrix.ts';
import { openState, PAGE_STATES, SCENARIOS, type PageState } from '../fixtures/page-states.ts';
import { expect, test } from '../fixtures/site.ts';

const STARTS = ['DOMContentLoaded', 'load'] as const;

for (const [name, state] of Object.entries(PAGE_STATES)) {
  if (state.isBroken) continue;

  test(`a translated page keeps working: ${name}`, { tag: state.isTelling ? [] : MATRIX }, async ({ page }) => {
    await expectToWork(page, state);
  });
}

for (const name of SCENARIOS) {
  test(`a translated page keeps working: seed ${name}`, { tag: MATRIX }, async ({ page, site }) => {
    const address = new URL(/https?:\S+/.exec(await site.seed(name))?.[0] ?? '');
    await expectToWork(page, { path: address.pathname + address.search });
  });
}

/** Translates a page, early and late, does what can be done on it, and lets all its times pass. */
async function expectToWork(page: Page, state: PageState) {
  const troubles: string[] = [];
  page.context().on('weberror', (web) => {
    const { message } = web.error();
    // React tells that it renders anew what was translated before it began.
    if (!message.includes('React error #418')) troubles.push(message);
  });
  page.context().on('request', (request) => {
    if (request.url().endsWith('/api/load-reports')) troubles.push(request.postData() ?? 'a report');
  });
  for (const start of STARTS) {
    const own = start === 'load' ? page : await page.context().newPage();
    await own.clock.install();
    await translate(own, start);
    await openState(own, state);
    await expect(own.locator('font').first()).toBeAttached();
    // Also what lies behind a dialog.
    for (const button of await own.locator('[aria-label^="Copy"], [type="radio"]').all())
      await button.evaluate((element: HTMLElement) => element.click());
    for (const ms of [3500, 15 * 60_000]) await own.clock.fastForward(ms);
    await expect(own.getByRole('button', { name: 'Retry', exact: true })).toBeHidden();
  }
  expect(troubles).toEqual([]);
}

/**
 * Lets a page be translated as Chrome does it: a `<font>` with the translation takes the place of each text, also of
 * texts that come later. It is the same text, with a space of no width that Playwright overlooks.
 * @param from the event of the page with which it begins: on a slow phone before the page works
 */
async function translate(page: Page, from: 'DOMContentLoaded' | 'load'): Promise<void> {
  await page.addInitScript((first) => {
    const KEPT = 'script, style, noscript, textarea, svg, code, pre, font, [translate="no"], .notranslate';

    function translateIn(root: Node) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      for (let text = texts.nextNode(); text; text = texts.nextNode()) found.push(text as Text);
      if (root instanceof Text) found.push(root);
      for (const text of found) {
        if (text.data.trim() === '' || !text.parentElement || text.parentElement.closest(KEPT)) continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.append(`${text.data}\u200b`);
        outer.append(inner);
        text.replaceWith(outer);
      }
    }

    const start = () => {
      document.documentElement.classList.add('translated-ltr');
      new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(translateIn))).observe(
        document.body,
        { childList: true, subtree: true },
      );
      translateIn(document.body);
    };
    (first === 'load' ? window : document).addEventListener(first, start, { once: true });
  }, from);
}
