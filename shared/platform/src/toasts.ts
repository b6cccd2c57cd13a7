import { create } from 'zustand';

interface ToastStore {
  /** The texts that are not shown yet, the oldest first. */
  waiting: readonly string[];
  added: (text: string) => void;
  shown: () => void;
}

/** Texts of all units for the visitor. The shell shows each as a toast, at the top right, for five seconds. */
export const useToastStore = create<ToastStore>()((set) => ({
  waiting: [],
  added: (text) => set(({ waiting }) => ({ waiting: [...waiting, text] })),
  shown: () => set({ waiting: [] }),
}));

/** Tells the visitor about something that happened. It asks for nothing. */
export function showToast(text: string): void {
  useToastStore.getState().added(text);
}
