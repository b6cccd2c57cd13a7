import type { Locator, Page } from '@playwright/test';

/**
 * Lets `fill` type its text. In Firefox, Playwright sets the value through the property that React has put on the field,
 * so React takes it for known already; it notices keys.
 */
export function fillByKeys(page: Page): void {
  const locators = Object.getPrototypeOf(page.locator('body')) as Locator & { typesText?: true };
  if (locators.typesText) return;

  const { fill } = locators;
  locators.fill = async function (this: Locator, text, options) {
    await fill.call(this, '', options);
    await this.pressSequentially(text, options);
  };
  locators.typesText = true;
}
