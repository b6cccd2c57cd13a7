import { create } from 'zustand';

/** How long the menu takes to open or close, in milliseconds. The transition in the stylesheet takes the same time. */
export const COLLAPSE_DURATION_MS = 350;

/** The state of the menu of a small screen. `opening` and `closing` last for `COLLAPSE_DURATION_MS`. */
type Menu = 'closed' | 'opening' | 'open' | 'closing';

interface NavbarStore {
  menu: Menu;
  /** The browser has shown or hidden it. During a movement this reverses it. */
  shown: (isOpen: boolean) => void;
  closed: () => void;
  settled: () => void;
}

/** Holds the state of the menu. Each action is named after an event. */
export const useNavbarStore = create<NavbarStore>()((set, get) => ({
  menu: 'closed',
  shown(isOpen) {
    if (isOpen !== isExpanded(get())) set({ menu: isOpen ? 'opening' : 'closing' });
  },
  closed: () => get().shown(false),
  settled: () => set({ menu: isExpanded(get()) ? 'open' : 'closed' }),
}));

export function isExpanded({ menu }: Pick<NavbarStore, 'menu'>): boolean {
  return menu === 'opening' || menu === 'open';
}

export function useIsMenuOpen(): boolean {
  return useNavbarStore(isExpanded);
}
