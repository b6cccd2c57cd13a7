import type { Purchase } from '@app/contracts/purchases';
import { create } from 'zustand';
import { advance, arrive, EMPTY_LOOP, type PurchaseLoop } from './purchase-loop.ts';

interface PurchaseStore {
  loop: PurchaseLoop;
  arrived: (purchases: readonly Purchase[]) => void;
  shown: () => void;
}

/** Keeps the loop's place while a visitor goes from page to page. */
export const usePurchaseStore = create<PurchaseStore>()((set) => ({
  loop: EMPTY_LOOP,
  arrived: (purchases) => set({ loop: arrive(purchases) }),
  shown: () => set(({ loop }) => ({ loop: advance(loop) })),
}));
