import type { Resolution } from '@app/contracts/resolution';
import { afterFirstPaint, showToast } from '@app/platform';
import { watchErrors } from './seen-errors.ts';

/**
 * Makes the panel of QA available where the server says so. Alt+Q opens it, and a badge shows what is pinned. Their code
 * is loaded only then, or when an extension has put a plugin into the federation runtime, which shows releases and
 * overrides them: visitors never receive it.
 */
export function startQa({ qa }: Resolution): void {
  if (!qa) return;
  if (!qa.access && !qa.until) return showToast(qa.notice ?? '');

  watchErrors();
  const load = () => import(/* webpackChunkName: "qa" */ './overlay-root.tsx');
  addEventListener(
    'keydown',
    ({ altKey, code }) => altKey && code === 'KeyQ' && void load().then((overlay) => overlay.toggleOverlay()),
  );
  const isWatched = qa.access && globalThis.__FEDERATION__.__GLOBAL_PLUGIN__.length > 0;
  if (qa.until || qa.notice || qa.local || isWatched) void afterFirstPaint().then(load);
}
