import type { Resolution } from '@app/contracts/resolution';
import { siteSettings } from '@app/platform';

const USUAL_SHARE = 0.01;

/**
 * Lets a share of the visits tell how fast their page was. Chance alone chooses them, so nothing is stored, and all
 * others load no code for it. What QA has chosen for a browser is no visit.
 */
export function sampleVisit(resolution: Resolution): void {
  const { fieldTimingsShare = USUAL_SHARE } = siteSettings();
  if (resolution.qa || Math.random() >= fieldTimingsShare) return;

  // A chunk of its own would put its hashes into the first file.
  import(/* webpackChunkName: "seldom" */ './tell-timings.ts')
    .then(({ tellTimings }) => tellTimings(resolution))
    .catch(() => undefined);
}
