import { useEffect } from 'react';

/** How long the window has to keep its size before the call. */
const RESIZE_DEBOUNCE_MS = 250;

/**
 * Calls a function once after the window was resized.
 * @param resized has to be the same function in every render; a new function cancels the wait
 */
export function useDebouncedResize(resized: () => void): void {
  useEffect(() => {
    const { schedule, cancel } = debounce(resized, RESIZE_DEBOUNCE_MS);
    window.addEventListener('resize', schedule);

    return () => {
      window.removeEventListener('resize', schedule);
      cancel();
    };
  }, [resized]);
}

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
