import { isExpanded } from './menu.ts';
import { useNavbarStore } from './navbar-store.ts';

/** Whether the menu lies over the page, which then takes no focus. */
export function useIsMenuOpen(): boolean {
  return useNavbarStore(({ menu }) => isExpanded(menu));
}
