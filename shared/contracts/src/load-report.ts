import * as v from 'valibot';
import { unitSchema, versionSchema } from './release.ts';

/** How a release failed in a page. */
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
