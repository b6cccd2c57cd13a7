/**
 * Waits for work, but no longer than `ms` milliseconds. The work itself goes on.
 * @returns its result, or `late`
 */
export async function withTimeout<Result, Late>(ms: number, work: Promise<Result>, late: Late): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
