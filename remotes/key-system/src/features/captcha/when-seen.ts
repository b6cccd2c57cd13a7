/** Resolves when the page is visible. A captcha in a background tab needs no renewal before. */
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
