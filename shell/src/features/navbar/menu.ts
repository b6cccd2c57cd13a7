/** How long the menu takes to unfold or fold, in milliseconds. The stylesheet moves for as long. */
export const COLLAPSE_MS = 350;

/** The menu of a small screen. While it unfolds or folds it is in between, as `aria-expanded` says where to. */
export type Menu = 'closed' | 'opening' | 'open' | 'closing';

export function toggle(menu: Menu): Menu {
  return isExpanded(menu) ? 'closing' : 'opening';
}

export function close(menu: Menu): Menu {
  return isExpanded(menu) ? 'closing' : menu;
}

/** What the menu is once its 350 ms are over. */
export function settle(menu: Menu): Menu {
  if (menu === 'opening') return 'open';
  if (menu === 'closing') return 'closed';
  return menu;
}

export function isExpanded(menu: Menu): boolean {
  return menu === 'opening' || menu === 'open';
}

export function isCollapsing(menu: Menu): boolean {
  return menu === 'opening' || menu === 'closing';
}
