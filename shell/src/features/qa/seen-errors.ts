/** What went wrong in this page so far, for the bug report: events, and what was written to the console. */
export const pageErrors: (Event | unknown[])[] = [];

/** Collects what goes wrong from now on. React writes the errors of pages, which the frame catches, to the console. */
export function watchErrors(): void {
  addEventListener('error', (event) => void pageErrors.push(event));
  const { error } = console;
  console.error = (...parts: unknown[]) => {
    pageErrors.push(parts);
    error(...parts);
  };
}
