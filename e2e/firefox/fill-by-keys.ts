import type { Locator, Page } from '@playwright/test';

let isDone = false;

/**
 * Lets `fill` type its text. In Firefox, Playwright sets the value through the property that React has put on the field,
 * so React takes it for known already; it notices keys.
 */
export function fillByKeys(page: Page): void {
  if (isDone) return;

  const locators = Object.getPrototypeOf(page.locator('body')) as Locator;
  const fill = Object.getOwnPropertyDescriptor(locators, 'fill')?.value as Locator['fill'];
  locators.fill = async function (this: Locator, text, options) {
    await fill.call(this, '', options);
    await this.pressSequentially(text, options);
  };
  isDone = true;
}
