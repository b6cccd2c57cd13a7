import * as v from 'valibot';
import { unitSchema, versionSchema } from './release.ts';

export const FAILURES = ['missing', 'timeout', 'error', 'crashed'] as const;

/** `POST /api/load-reports`: a page could not load a unit's code, or the code threw while it rendered. */
export const loadReportSchema = v.object({
  unit: unitSchema,
  version: versionSchema,
  failure: v.picklist(FAILURES),
});
export type LoadReport = v.InferOutput<typeof loadReportSchema>;

/** The cookie by which a page tells the server that this version of the shell has failed in this browser. */
export const FAILED_SHELL_COOKIE = 'failed-shell';

/** No page takes longer than this to work or to answer; a forger may say so. */
const MAX_MS = 10 * 60 * 1000;
const MAX_LAYOUT_SHIFT = 100;

const milliseconds = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_MS)));

/** `POST /api/field-timings`: how a page did in a real browser. Browsers leave out what they do not measure. */
export const vitalsReportSchema = v.object({
  /** The path of the page, without its query. */
  page: v.pipe(v.string(), v.maxLength(200)),
  /** The versions of the page's unit and of the shell. */
  version: versionSchema,
  shell: versionSchema,
  /** Whether all scripts came from the browser's cache. */
  cached: v.boolean(),
  works: milliseconds,
  lcp: milliseconds,
  inp: milliseconds,
  cls: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_LAYOUT_SHIFT))),
});
export type VitalsReport = v.InferOutput<typeof vitalsReportSchema>;

/** The timings by which a canary is compared with the stable release. */
export const COMPARED_TIMINGS = ['works', 'lcp'] as const;
export type ComparedTiming = (typeof COMPARED_TIMINGS)[number];
