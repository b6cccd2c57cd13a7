import type { Page } from '@playwright/test';
import { isOfLeftPage } from '../firefox/left-early.ts';
import { MAIN, MATRIX } from '../fixtures/tags.ts';
import { openState, PAGE_STATES, SCENARIOS, type PageState } from '../fixtures/page-states.ts';
import { expect, test } from '../fixtures/site.ts';
import { translatePage } from '../fixtures/translate-page.ts';

/** A dialog, lists and a form, which React changes most. The first is played in Firefox, too. */
const MAIN_STATES = ['everything open on the V5 page', 'the key’s window', 'a code that was redeemed'];

const STARTS = ['DOMContentLoaded', 'load'] as const;

for (const [name, state] of Object.entries(PAGE_STATES)) {
  if (state.isBroken) continue;

  const tag = name === MAIN_STATES[0] ? MAIN : MAIN_STATES.includes(name) ? [] : MATRIX;
  test(`a translated page keeps working: ${name}`, { tag }, async ({ page }) => {
    await expectToWork(page, state);
  });
}

for (const name of SCENARIOS) {
  test(`a translated page keeps working: seed ${name}`, { tag: MATRIX }, async ({ page, site }) => {
    const { path } = await site.seedPage(name);
    await expectToWork(page, { path });
  });
}

/** Translates a page, early and late, does what can be done on it, and lets all its times pass. */
async function expectToWork(page: Page, state: PageState) {
  const troubles: string[] = [];
  page.context().on('weberror', (web) => {
    const { message } = web.error();
    // React tells that it renders anew what was translated before it began.
    if (!message.includes('React error #418') && !isOfLeftPage(page, message)) troubles.push(message);
  });
  page.context().on('request', (request) => {
    if (request.url().endsWith('/api/load-reports')) troubles.push(request.postData() ?? 'a report');
  });
  for (const start of STARTS) {
    // What the first page has chosen would be chosen already.
    await page.context().clearCookies({ name: /qa-local/ });
    const own = start === 'load' ? page : await page.context().newPage();
    await own.clock.install();
    await own.addInitScript(translatePage, start);
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
