import { create } from 'zustand';

/** A page whose HTML came from the server and whose code could not be had. */
interface KeptPage {
  path: string;
  error: Error;
  /** Asks which releases hold now, and loads the code again. */
  tryAgain: () => Promise<void>;
}

export const useKeptPage = create<{ kept: KeptPage | undefined }>()(() => ({ kept: undefined }));

export function keepPage(kept: KeptPage): void {
  useKeptPage.setState({ kept });
}

export function forgetKeptPage(path: string): void {
  useKeptPage.setState(({ kept }) => (kept?.path === path ? { kept: undefined } : {}));
}
