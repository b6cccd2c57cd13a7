import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Every number that this site counts of itself, for Prometheus (`server/metrics-server.ts`). No label ever holds what a
 * visitor chose: no device, ticket, address, key or path.
 */
export const registry = new Registry();

const registers = [registry];

function counter<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Counter({ name, help, labelNames, registers });
}

function gauge<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Gauge({ name, help, labelNames, registers });
}

function histogram<Label extends string = never>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: readonly Label[] = [],
) {
  return new Histogram({ name, help, buckets, labelNames, registers });
}

/** Limits of time in seconds, from a page out of memory to the time-out of a proxy. */
const REQUEST_BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COMMIT_BUCKETS_S = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];
/** Limits of what browsers measure, with those of a good and a poor page (https://web.dev/articles/vitals). */
const FIELD_BUCKETS_S = [0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 2.5, 4, 6, 10, 20];
const SHIFT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 1];
const CALL_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export const httpRequests = histogram(
  'http_request_duration_seconds',
  'Time from a request to the end of its answer.',
  REQUEST_BUCKETS_S,
  ['method', 'route', 'status'],
);

export const httpRequestsInProgress = gauge('http_requests_in_progress', 'Requests that are not answered yet.');

export const httpErrors = counter('http_errors_total', 'Answers with an error, by its code.', ['code']);

export const refusals = counter(
  'site_refusals_total',
  'Visitors of the key system who were led elsewhere than they wanted, by the code that their page explains.',
  ['code'],
);

export const commits = histogram(
  'site_db_commit_duration_seconds',
  'Time until a commit is on the disk.',
  COMMIT_BUCKETS_S,
);

export const clockOffset = gauge(
  'site_clock_offset_seconds',
  'How far the clock of this server is ahead of that of PostgreSQL.',
);

export const auditEvents = counter(
  'site_events_total',
  'Committed changes that went on record, by what they are about and what happened.',
  ['kind', 'code'],
);

export const auditSealings = counter(
  'site_audit_sealings_total',
  'How often this server saw every event of the audit sealed.',
);

export const auditAnchoredUntil = gauge(
  'site_audit_anchored_until_seconds',
  'The end of the newest day of the audit that is signed, as a UNIX time.',
);

export const advertiserCalls = histogram(
  'site_advertiser_call_duration_seconds',
  'Calls to advertisers, by how they ended.',
  CALL_BUCKETS_S,
  ['advertiser', 'outcome'],
);

export const advertiserCircuitOpen = gauge(
  'site_advertiser_circuit_open',
  '1 while an advertiser keeps failing and is not called.',
  ['advertiser'],
);

export const captchas = counter('site_captchas_total', 'Solved captchas that were handed in.', ['outcome']);

export const sockets = gauge('site_sockets', 'Open sockets of the online count.');

export const socketsRefused = counter('site_sockets_refused_total', 'Sockets that were refused.', ['reason']);

export const loadReports = counter(
  'site_load_reports_total',
  'Reports of pages that a release could not be loaded, or threw.',
  ['unit', 'failure'],
);

const FIELD_LABELS = ['page', 'engine', 'release', 'shell'] as const;

export const fieldTimes = histogram(
  'site_field_duration_seconds',
  'How fast pages are in browsers, of a share of the visits.',
  FIELD_BUCKETS_S,
  ['timing', ...FIELD_LABELS],
);

export const fieldShifts = histogram(
  'site_field_layout_shift',
  'How much pages shift in browsers (CLS), of a share of the visits.',
  SHIFT_BUCKETS,
  FIELD_LABELS,
);

export const renderers = gauge('site_renderers', 'Processes that render the pages of a release now.');

export const renderings = counter('site_renderings_total', 'Pairs of a remote and a shell that were rendered.', [
  'outcome',
]);

export const attemptsCounted = counter(
  'site_attempts_total',
  'Visits to advertisers that have ended, by what became of them.',
  ['app', 'step', 'advertiser', 'outcome'],
);

export const keysCounted = counter('site_keys_total', 'Keys that were issued or withdrawn.', ['app', 'outcome']);

export const mailTries = counter('site_mails_total', 'Tries to send a mail.', ['outcome']);

export const mailsWaiting = gauge(
  'site_mails_waiting',
  'Mails in the queue of the database, as of at most 30 seconds ago.',
);

/** What alerts look at begins with 0: Prometheus sees no rise in a series that was not there before. */
const INITIALIZED_COUNTERS: readonly [Counter, string, readonly string[]][] = [
  [httpErrors, 'code', ['server.busy', 'server.unexpected']],
  [captchas, 'outcome', ['passed', 'refused', 'unavailable']],
  [socketsRefused, 'reason', ['origin', 'network', 'full']],
  [renderings, 'outcome', ['rendered', 'thrown', 'failed']],
  [mailTries, 'outcome', ['sent', 'failed', 'given_up']],
];
for (const [counter, label, values] of INITIALIZED_COUNTERS)
  for (const value of values) counter.inc({ [label]: value }, 0);
for (const [kind, code] of [
  ['run', 'opened'],
  ['attempt', 'verified'],
  ['key', 'issued'],
  ['channel', 'halted'],
] as const)
  auditEvents.inc({ kind, code }, 0);
