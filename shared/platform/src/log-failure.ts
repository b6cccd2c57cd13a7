/**
 * Writes a failure to the browser's console. For failures that the page does not show, because it works without what
 * could not be loaded.
 * @param what a sentence without a full stop, such as `Failed to fetch resellers`
 */
export function logFailure(what: string, cause: unknown): void {
  console.error(what, cause);
}
