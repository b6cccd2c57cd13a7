/** Leaves a trace in the console of a failure that nothing on the page tells, since a visitor can do without what failed. */
export function logFailure(what: string, cause: unknown): void {
  // eslint-disable-next-line no-console
  console.error(what, cause);
}
