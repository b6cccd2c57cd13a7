import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The forms of an id that a proxy may give: 32 hexadecimal digits, such as nginx's `$request_id` or a trace id of W3C, or
 * a UUID. Nothing else is taken, because the id stands in logs and within statements of SQL.
 */
const WELL_FORMED = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const current = new AsyncLocalStorage<string>();

/** Whether a text can be the id of a request. */
export function isRequestId(text: string): boolean {
  return WELL_FORMED.test(text);
}

/** Does work for a request: everything that follows from it, also later, knows the request's id. */
export function forRequest<Result>(id: string, work: () => Result): Result {
  return current.run(id, work);
}

/** The id of the request for which something is done now; undefined for work that no request has asked for. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
