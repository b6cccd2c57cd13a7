import { problemSchema, type ErrorCode } from '@app/contracts/errors';
import * as v from 'valibot';

/** A refusal by our API, under the code of the error table. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** When the server wants to be asked again, in epoch milliseconds by this device's clock; undefined where it did not say. */
  readonly retryAt: number | undefined;

  constructor(code: ErrorCode, message: string, retryable: boolean, retryAt?: number) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.retryAt = retryAt;
  }
}

/**
 * Calls our API and returns an answer of the promised shape.
 * @param path begins with `/api`
 * @throws ApiError when the server refuses, or the answer is not of the shape
 */
export async function callApi<Schema extends v.GenericSchema>(
  schema: Schema,
  path: string,
  init?: RequestInit,
): Promise<v.InferOutput<Schema>> {
  return v.parse(schema, await fetchJson(path, init));
}

/**
 * Calls our API, for an answer whose shape the caller finds out.
 * @param path begins with `/api`
 * @throws ApiError when the server refuses
 */
export async function fetchJson(path: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(path, { credentials: 'same-origin', ...init });
  if (!response.ok) throw await readProblem(response);

  return response.json();
}

/** A request with a JSON body. */
export function postJson(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function readProblem(response: Response): Promise<ApiError> {
  const body = v.safeParse(problemSchema, await response.json().catch(() => undefined));
  if (!body.success)
    return new ApiError('server.unexpected', `The server answered ${response.status}.`, true, retryAtOf(response));

  return new ApiError(
    body.output.code,
    body.output.detail ?? body.output.title,
    body.output.retryable,
    retryAtOf(response),
  );
}

/** Reads `Retry-After` in seconds, as our server sends it: the moment by this device's clock, in epoch milliseconds. */
export function retryAtOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? Date.now() + seconds * 1000 : undefined;
}
