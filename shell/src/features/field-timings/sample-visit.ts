import type { Resolution, Source } from '@app/contracts/resolution';
import { siteSettings } from '@app/platform';

const USUAL_SHARE = 0.01;

const USUAL: ReadonlySet<Source> = new Set(['stable', 'canary']);

/** Chance alone chooses the visits, so nothing is stored. What QA has chosen is no visit. */
export function sampleVisit(resolution: Resolution): void {
  const { fieldTimingsShare = USUAL_SHARE } = siteSettings();
  const isUsual = Object.values(resolution.units).every(({ source, fault }) => USUAL.has(source) && !fault);
  if (!isUsual || Math.random() >= fieldTimingsShare) return;

  // A chunk of its own would put its hashes into the first file.
  import(/* webpackChunkName: "seldom" */ './report-timings.ts')
    .then(({ reportTimings }) => reportTimings(resolution))
    .catch(() => undefined);
}
