/** Calls once, when nothing more has come for a while. */
export function debounce(call: () => void, waitMs: number): { soon: () => void; never: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(call, waitMs);
    },
    never: () => clearTimeout(timer),
  };
}
