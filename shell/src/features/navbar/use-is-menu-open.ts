import { isExpanded } from './menu.ts';
import { useNavbarStore } from './navbar-store.ts';

/** Whether the menu covers the page. The page must take no focus then. */
export function useIsMenuOpen(): boolean {
  return useNavbarStore(({ menu }) => isExpanded(menu));
}
