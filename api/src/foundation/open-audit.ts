import { createOutageLog } from './jobs/periodic-job.ts';
import type { Module, Site } from './module.ts';
import { sealAll } from './audit/seal-audit.ts';

/** How often recorded events are sealed into the audit's chain. */
const SEAL_INTERVAL_MS = 500;

export function openAudit({ db, log }: Site): Module {
  const attempt = createOutageLog(log, {
    away: 'the audit cannot be sealed; what was recorded waits',
    back: 'the audit is sealed again',
  });
  return { routes: {}, jobs: [{ run: () => attempt(() => sealAll(db)), intervalMs: SEAL_INTERVAL_MS }] };
}
