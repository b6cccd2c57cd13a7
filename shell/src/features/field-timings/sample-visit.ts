import type { Resolution, Source } from '@app/contracts/resolution';
import { siteSettings } from '@app/platform';

const DEFAULT_SAMPLE_RATE = 0.01;

const SAMPLED_SOURCES: ReadonlySet<Source> = new Set(['stable', 'canary']);

/** Chance alone chooses the visits, so nothing is stored. What QA has chosen is no visit. */
export function sampleVisit(resolution: Resolution): void {
  const { fieldTimingsShare = DEFAULT_SAMPLE_RATE } = siteSettings();
  const isUsual = Object.values(resolution.units).every(({ source, fault }) => SAMPLED_SOURCES.has(source) && !fault);
  if (!isUsual || Math.random() >= fieldTimingsShare) return;

  // A chunk of its own would put its hashes into the first file.
  import(/* webpackChunkName: "seldom" */ './report-timings.ts')
    .then(({ reportTimings }) => reportTimings(resolution))
    .catch(() => undefined);
}
