export type AfterAnswer = ReturnType<typeof createAfterAnswer>;

/**
 * Work that begins after a request was answered, so that the answer says nothing about it, not even by its time.
 * @param warn called with each failure
 */
export function createAfterAnswer(warn: (error: unknown) => void) {
  const pending = new Set<Promise<void>>();

  return {
    add(work: () => Promise<unknown>): void {
      const doing = work()
        .then(() => undefined, warn)
        .finally(() => pending.delete(doing));
      pending.add(doing);
    },

    /** For a server that stops: waits until all of it is done. */
    async finish(): Promise<void> {
      await Promise.all(pending);
    },
  };
}
