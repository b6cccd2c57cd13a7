import { create } from 'zustand';
import { settle, show, type Menu } from './menu.ts';

interface NavbarStore {
  menu: Menu;
  /** The browser has shown or hidden it. */
  shown: (isOpen: boolean) => void;
  closed: () => void;
  settled: () => void;
}

/** Holds the state of the menu. Each action is named after an event and applies one function of menu.ts. */
export const useNavbarStore = create<NavbarStore>()((set) => ({
  menu: 'closed',
  shown: (isOpen) => set(({ menu }) => ({ menu: show(menu, isOpen) })),
  closed: () => set(({ menu }) => ({ menu: show(menu, false) })),
  settled: () => set(({ menu }) => ({ menu: settle(menu) })),
}));
