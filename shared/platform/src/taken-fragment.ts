/** The fragments that pages took out of their addresses, by path: what is in them is for no history. */
const taken = new Map<string, string>();

/** Notes the fragment that a page takes out of its address, in memory only. */
export function noteFragment(pathname: string, fragment: string): void {
  taken.set(pathname, fragment);
}

/** The fragment with which a page was opened, for a page load that stays there; empty when there was none. */
export function fragmentOf({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): string {
  return hash || (taken.get(pathname) ?? '');
}
