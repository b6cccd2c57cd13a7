import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Every number that this site counts of itself. Prometheus reads them (`http/metrics-server.ts`); docs/operations.md,
 * "Watching", explains each. No label ever holds what a visitor chose: no device, ticket, address, key or path.
 */
export const registry = new Registry();

const registers = [registry];

/** Limits of time in seconds, from a page out of memory to the time-out of a proxy. */
const REQUEST_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COMMIT_S = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];
/** Limits of what browsers measure, with those of a good and a poor page (https://web.dev/articles/vitals). */
const FIELD_S = [0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 2.5, 4, 6, 10, 20];
const SHIFTS = [0.01, 0.05, 0.1, 0.25, 1];
const CALL_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export const httpRequests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the end of its answer.',
  labelNames: ['method', 'route', 'status'],
  buckets: REQUEST_S,
  registers,
});

export const httpRequestsInProgress = new Gauge({
  name: 'http_requests_in_progress',
  help: 'Requests that are not answered yet.',
  registers,
});

export const httpErrors = new Counter({
  name: 'http_errors_total',
  help: 'Answers with an error, by its code.',
  labelNames: ['code'],
  registers,
});

export const refusals = new Counter({
  name: 'site_refusals_total',
  help: 'Visitors of the key system who were led elsewhere than they wanted, by the code that their page explains.',
  labelNames: ['code'],
  registers,
});

export const commits = new Histogram({
  name: 'site_db_commit_duration_seconds',
  help: 'Time until a commit is on the disk.',
  buckets: COMMIT_S,
  registers,
});

export const clockOffset = new Gauge({
  name: 'site_clock_offset_seconds',
  help: 'How far the clock of this server is ahead of that of PostgreSQL.',
  registers,
});

export const auditEvents = new Counter({
  name: 'site_events_total',
  help: 'Committed changes that went on record, by what they are about and what happened.',
  labelNames: ['kind', 'code'],
  registers,
});

export const auditSealings = new Counter({
  name: 'site_audit_sealings_total',
  help: 'How often this server saw every event of the audit sealed.',
  registers,
});

export const auditAnchoredUntil = new Gauge({
  name: 'site_audit_anchored_until_seconds',
  help: 'The end of the newest day of the audit that is signed, as a UNIX time.',
  registers,
});

export const advertiserCalls = new Histogram({
  name: 'site_advertiser_call_duration_seconds',
  help: 'Calls to advertisers, by how they ended.',
  labelNames: ['advertiser', 'outcome'],
  buckets: CALL_S,
  registers,
});

export const advertiserCircuitOpen = new Gauge({
  name: 'site_advertiser_circuit_open',
  help: '1 while an advertiser keeps failing and is not called.',
  labelNames: ['advertiser'],
  registers,
});

export const captchas = new Counter({
  name: 'site_captchas_total',
  help: 'Solved captchas that were handed in.',
  labelNames: ['outcome'],
  registers,
});

export const sockets = new Gauge({
  name: 'site_sockets',
  help: 'Open sockets of the online count.',
  registers,
});

export const socketsRefused = new Counter({
  name: 'site_sockets_refused_total',
  help: 'Sockets that were refused.',
  labelNames: ['reason'],
  registers,
});

export const loadReports = new Counter({
  name: 'site_load_reports_total',
  help: 'Reports of pages that a release could not be loaded, or threw.',
  labelNames: ['unit', 'failure'],
  registers,
});

const FIELD_LABELS = ['page', 'engine', 'release', 'shell'] as const;

export const fieldTimes = new Histogram({
  name: 'site_field_duration_seconds',
  help: 'How fast pages are in browsers, of a share of the visits.',
  labelNames: ['timing', ...FIELD_LABELS],
  buckets: FIELD_S,
  registers,
});

export const fieldShifts = new Histogram({
  name: 'site_field_layout_shift',
  help: 'How much pages shift in browsers (CLS), of a share of the visits.',
  labelNames: FIELD_LABELS,
  buckets: SHIFTS,
  registers,
});

export const renderers = new Gauge({
  name: 'site_renderers',
  help: 'Processes that render the pages of a release now.',
  registers,
});

export const renderings = new Counter({
  name: 'site_renderings_total',
  help: 'Pairs of a remote and a shell that were rendered.',
  labelNames: ['outcome'],
  registers,
});

export const attemptsCounted = new Counter({
  name: 'site_attempts_total',
  help: 'Visits to advertisers that have ended, by what became of them.',
  labelNames: ['app', 'step', 'advertiser', 'outcome'],
  registers,
});

export const keysCounted = new Counter({
  name: 'site_keys_total',
  help: 'Keys that were issued or withdrawn.',
  labelNames: ['app', 'outcome'],
  registers,
});

export const mailTries = new Counter({
  name: 'site_mails_total',
  help: 'Tries to send a mail.',
  labelNames: ['outcome'],
  registers,
});

export const mailsWaiting = new Gauge({
  name: 'site_mails_waiting',
  help: 'Mails in the queue of the database, as of at most 30 seconds ago.',
  registers,
});

/** What alerts look at begins with 0: Prometheus sees no rise in a series that was not there before. */
const FROM_THE_START: readonly [Counter, string, readonly string[]][] = [
  [httpErrors, 'code', ['server.busy', 'server.unexpected']],
  [captchas, 'outcome', ['passed', 'refused', 'unavailable']],
  [socketsRefused, 'reason', ['origin', 'network', 'full']],
  [renderings, 'outcome', ['rendered', 'thrown', 'failed']],
  [mailTries, 'outcome', ['sent', 'failed', 'given_up']],
];
for (const [counter, label, values] of FROM_THE_START) for (const value of values) counter.inc({ [label]: value }, 0);
for (const [kind, code] of [
  ['run', 'opened'],
  ['attempt', 'verified'],
  ['key', 'issued'],
  ['channel', 'halted'],
] as const)
  auditEvents.inc({ kind, code }, 0);
