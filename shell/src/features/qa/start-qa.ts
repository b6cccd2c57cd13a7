import type { Resolution } from '@app/contracts/release';
import { afterFirstPaint, showToast } from '@app/platform';

/** What went wrong in this page so far, for the bug report. */
export const seenErrors: string[] = [];

/**
 * Makes the panel of QA available where the server says so. Alt+Q opens it, and a badge shows what is pinned. Their code
 * is loaded only then: visitors never receive it.
 */
export function startQa({ qa }: Resolution): void {
  if (!qa) return;
  if (!qa.access && !qa.until) return showToast(qa.notice ?? '');

  const load = () => import(/* webpackChunkName: "qa" */ './overlay-root.tsx');
  addEventListener('error', ({ message, target }) => void seenErrors.push(message || String(Object(target).src)), true);
  addEventListener('keydown', ({ altKey, code }) => altKey && code === 'KeyQ' && void load().then((qa) => qa.toggle()));
  if (qa.until || qa.notice) void afterFirstPaint().then(load);
}
