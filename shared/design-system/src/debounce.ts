/**
 * Delays a call until `schedule` was not called for a while.
 * @param waitMs how long that is, in milliseconds
 */
export function debounce(call: () => void, waitMs: number): { schedule: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    schedule() {
      clearTimeout(timer);
      timer = setTimeout(call, waitMs);
    },
    cancel: () => clearTimeout(timer),
  };
}
