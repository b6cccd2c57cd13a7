/** Writes a failure to the console when the page does not show it, because the visitor does not need what failed. */
export function logFailure(what: string, cause: unknown): void {
  // eslint-disable-next-line no-console
  console.error(what, cause);
}
