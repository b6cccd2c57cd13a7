import { create } from 'zustand';

interface NoticeStore {
  /** What waits to be shown, the oldest first. */
  waiting: readonly string[];
  noticed: (text: string) => void;
  shown: () => void;
}

/** Messages from any unit to the visitor. The shell shows each as a toast, at the top right, for five seconds. */
export const useNoticeStore = create<NoticeStore>()((set) => ({
  waiting: [],
  noticed: (text) => set(({ waiting }) => ({ waiting: [...waiting, text] })),
  shown: () => set({ waiting: [] }),
}));

/** Tells the visitor something that happened and asks for nothing. */
export function notify(text: string): void {
  useNoticeStore.getState().noticed(text);
}
