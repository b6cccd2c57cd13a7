/** Resolves as soon as somebody sees the page: in a tab behind others nothing has to be renewed. */
export function whenSeen(): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();

  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', function onChange() {
      if (document.visibilityState !== 'visible') return;

      document.removeEventListener('visibilitychange', onChange);
      resolve();
    });
  });
}
