import type { Locator, Page } from '@playwright/test';

let isDone = false;

/**
 * Lets `fill` work in Firefox. There Playwright sets the value through the property that React has put on the field, so
 * React takes the value for known and tells no one.
 */
export function fillForReact(page: Page): void {
  if (isDone) return;

  const locators = Object.getPrototypeOf(page.locator('body')) as Locator;
  const fill = Object.getOwnPropertyDescriptor(locators, 'fill')?.value as Locator['fill'];
  locators.fill = async function (this: Locator, text, options) {
    // It waits for the field, and presses Delete.
    await fill.call(this, '', options);
    if (text !== '') await this.evaluate(setValue, text);
  };
  isDone = true;
}

/** Runs in the page. */
function setValue(field: Element, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { data: text, bubbles: true, composed: true }));
}
