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
