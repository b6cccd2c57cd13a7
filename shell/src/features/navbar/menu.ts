/** How long the menu takes to open or close, in milliseconds. The transition in the stylesheet takes the same time. */
export const COLLAPSE_MS = 350;

/** The state of the menu of a small screen. `opening` and `closing` last for `COLLAPSE_MS`. */
export type Menu = 'closed' | 'opening' | 'open' | 'closing';

/** The state after the menu was opened or closed. During a movement this reverses it. */
export function show(menu: Menu, isOpen: boolean): Menu {
  if (isOpen === isExpanded(menu)) return menu;
  return isOpen ? 'opening' : 'closing';
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
