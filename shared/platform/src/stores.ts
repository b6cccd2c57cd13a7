import { create } from 'zustand';

export interface OnlineStore {
  /** How many visitors are on the site now; undefined until the server has told. */
  online: number | undefined;
  counted: (online: number) => void;
}

/** The live count. The shell's socket feeds it; any unit may read it. */
export const useOnlineStore = create<OnlineStore>()((set) => ({
  online: undefined,
  counted: (online) => set({ online }),
}));

interface ToastStore {
  /** The texts that are not shown yet, the oldest first. */
  waiting: readonly string[];
  added: (text: string) => void;
  shown: () => void;
}

/** The messages of all units. The shell shows each as a toast, at the top right, for five seconds. */
export const useToastStore = create<ToastStore>()((set) => ({
  waiting: [],
  added: (text) => set(({ waiting }) => ({ waiting: [...waiting, text] })),
  shown: () => set({ waiting: [] }),
}));

/** Shows a message as a toast. For news that needs no answer from the visitor. */
export function showToast(text: string): void {
  useToastStore.getState().added(text);
}
