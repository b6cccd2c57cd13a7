/**
 * Makes one call out of several in a row: `schedule` starts the wait again each time, `cancel` ends it.
 * @param waitMs how long to wait after the last `schedule`, in milliseconds
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
