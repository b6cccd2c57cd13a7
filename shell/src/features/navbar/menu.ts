/** How long the menu takes to open or close, in milliseconds. The transition in the stylesheet takes the same time. */
export const COLLAPSE_MS = 350;

/** The state of the menu of a small screen. `opening` and `closing` last for `COLLAPSE_MS`. */
export type Menu = 'closed' | 'opening' | 'open' | 'closing';

/** The state after a click on the menu button. A click during the movement reverses it. */
export function toggle(menu: Menu): Menu {
  return isExpanded(menu) ? 'closing' : 'opening';
}

/** The state after the menu was told to close. */
export function close(menu: Menu): Menu {
  return isExpanded(menu) ? 'closing' : menu;
}

/** The state at the end of the movement. */
export function settle(menu: Menu): Menu {
  if (menu === 'opening') return 'open';
  if (menu === 'closing') return 'closed';
  return menu;
}

/** Whether the menu is open or opening: what the browser shows. */
export function isExpanded(menu: Menu): boolean {
  return menu === 'opening' || menu === 'open';
}

/** Whether the menu is moving, in either direction. */
export function isCollapsing(menu: Menu): boolean {
  return menu === 'opening' || menu === 'closing';
}
