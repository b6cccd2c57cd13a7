/** A tab that was hidden for this long asks as soon as it is visible. */
const MIN_HIDDEN_MS = 10 * 60_000;

const POLL_INTERVAL_MS = 30 * 60_000;

/** Calls `ask` in a tab that has been open for long. Without a timer while the tab is hidden. */
export function pollWhileVisible(ask: () => void): () => void {
  let askedAt = Date.now();
  let hiddenAt = Infinity;
  let timer: ReturnType<typeof setTimeout>;

  function wait() {
    timer = setTimeout(askNow, askedAt + POLL_INTERVAL_MS - Date.now());
  }
  function askNow() {
    askedAt = Date.now();
    ask();
    wait();
  }
  function onChange() {
    clearTimeout(timer);
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt >= MIN_HIDDEN_MS) askNow();
    else wait();
  }

  if (!document.hidden) wait();
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onChange);
  };
}
