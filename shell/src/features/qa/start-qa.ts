import type { Resolution } from '@app/contracts/release';
import { afterFirstPaint, showToast } from '@app/platform';

/** What went wrong in this page so far, for the bug report: events, and what was written to the console. */
export const seenErrors: (Event | unknown[])[] = [];

/**
 * Makes the panel of QA available where the server says so. Alt+Q opens it, and a badge shows what is pinned. Their code
 * is loaded only then: visitors never receive it.
 */
export function startQa({ qa }: Resolution): void {
  if (!qa) return;
  if (!qa.access && !qa.until) return showToast(qa.notice ?? '');

  const load = () => import(/* webpackChunkName: "qa" */ './overlay-root.tsx');
  addEventListener('error', (event) => void seenErrors.push(event), true);
  const { error } = console;
  // React writes the errors of pages there, which the frame catches.
  console.error = (...parts) => {
    seenErrors.push(parts);
    error(...parts);
  };
  addEventListener(
    'keydown',
    ({ altKey, code }) => altKey && code === 'KeyQ' && void load().then((overlay) => overlay.toggle()),
  );
  if (qa.until || qa.notice) void afterFirstPaint().then(load);
}
