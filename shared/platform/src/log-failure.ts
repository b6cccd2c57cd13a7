/** For failures that the page does not show, because it works without what could not be loaded. */
export function logFailure(what: string, cause: unknown): void {
  console.error(what, cause);
}
