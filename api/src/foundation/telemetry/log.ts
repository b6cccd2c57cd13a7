import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino } from 'pino';

/** The part of an address after these words is secret: a ticket, or the postback's secret. */
const SECRET_PATH_PATTERN = /\b(return|postback)([^/"\s?]*(?:\/|%2f)+)[^"\s?]+/gi;
/**
 * A ticket anywhere in a line. Parts of a signature have the same form, but a dot beside them; the thumbprint of a public
 * key has it too, and operators compare it.
 */
const TICKET_PATTERN = /(?<![\w.-]|"thumbprint":")[\w-]{43}(?![\w.-])/g;
/** A token of a bearer, who can publish with `deploy_…` and read the figures of an app with `stats_…`. */
const BEARER_TOKEN_PATTERN = /\b(deploy|stats)_[\w-]{4,}/g;

/** How many characters of the log wait in memory while the disk takes none. What comes then is dropped. */
const MAX_WAITING = 1_000_000;

/** Lines are written together: a write for each takes a twentieth of a run's processor time. Bytes, and milliseconds. */
const BATCH = 4096;
const BATCH_MS = 100;

/**
 * Creates the log of the process: one line of JSON for each event, with the id of the request that it belongs to. Tickets,
 * the tokens of bearers and the postback's secret are replaced by `***` in every line, also in errors.
 * @param destination where the lines go; by default the standard output
 */
export function createLog(destination: DestinationStream = openOutput()): Logger {
  return pino({ hooks: { streamWrite: redact }, mixin: nameRequest }, destination);
}

/** The standard output. When it is a file on a full disk, lines wait or are dropped, and the server goes on. */
function openOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: MAX_WAITING, minLength: BATCH, periodicFlush: BATCH_MS });
  // By default an error ends the process, which hangs as it ends: it tries for ever to write what waits.
  output.on('error', () => (output.flushSync = () => undefined));
  return output;
}

function nameRequest(): { requestId?: string } {
  const requestId = currentRequestId();
  return requestId === undefined ? {} : { requestId };
}

function redact(line: string): string {
  return line
    .replace(SECRET_PATH_PATTERN, '$1$2***')
    .replace(BEARER_TOKEN_PATTERN, '$1_***')
    .replace(TICKET_PATTERN, '***');
}

/**
 * The forms of an id that a proxy may give: 32 hexadecimal digits, such as nginx's `$request_id` or a trace id of W3C, or
 * a UUID. Nothing else is taken, because the id stands in logs and within statements of SQL.
 */
const REQUEST_ID_PATTERN = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const requestIds = new AsyncLocalStorage<string>();

export function isRequestId(text: string): boolean {
  return REQUEST_ID_PATTERN.test(text);
}

/** Does work for a request: everything that follows from it, also later, knows the request's id. */
export function forRequest<Result>(id: string, work: () => Result): Result {
  return requestIds.run(id, work);
}

/** Undefined for work that no request has asked for. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
