import { PAGES, runPagePath } from '@app/contracts/pages';

/** Whether a path is a page on the way to a key: a page of a run, or the gate. */
export function isKeyPage(pathname: string): boolean {
  return pathname === PAGES.gate || /\/key-system-\w+$/.test(pathname);
}

/** The first step towards a key, from a page: the companion app's pages lead to its own key. */
export function keyStartOf(pathname: string): string {
  return runPagePath(pathname.startsWith(PAGES.companion) ? 'companion' : 'main', 1);
}
