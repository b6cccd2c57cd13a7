import type { Resolution, Source } from '@app/contracts/resolution';
import { siteSettings } from '@app/platform';

const USUAL_SHARE = 0.01;

const USUAL: ReadonlySet<Source> = new Set(['stable', 'canary']);

/**
 * Lets a share of the visits tell how fast their page was. Chance alone chooses them, so nothing is stored, and all
 * others load no code for it. A page with a version or a fault that QA has chosen is no visit.
 */
export function sampleVisit(resolution: Resolution): void {
  const { fieldTimingsShare = USUAL_SHARE } = siteSettings();
  const isUsual = Object.values(resolution.units).every(({ source, fault }) => USUAL.has(source) && !fault);
  if (!isUsual || Math.random() >= fieldTimingsShare) return;

  // A chunk of its own would put its hashes into the first file.
  import(/* webpackChunkName: "seldom" */ './tell-timings.ts')
    .then(({ tellTimings }) => tellTimings(resolution))
    .catch(() => undefined);
}
