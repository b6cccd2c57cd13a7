import type { ErrorCode } from '@app/contracts/errors';
import type { Problem } from '@app/contracts/problem';
import type * as v from 'valibot';
import { fetchInTime } from './fetch-in-time.ts';
import { takeResponse } from './preloaded-responses.ts';

/** An error answer of our API. `code` is a row of the error table. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** When to try again, in epoch milliseconds by the clock of this device; undefined when the server did not say. */
  readonly retryAt: number | undefined;

  constructor(code: ErrorCode, message: string, retryable: boolean, retryAt?: number) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.retryAt = retryAt;
  }
}

/**
 * Calls our API.
 * @param schema what the answer has to be
 * @param path begins with `/api`
 * @returns the answer, parsed
 * @throws ApiError when the server answers with an error
 * @throws DOMException as `fetchInTime` does
 * @throws TypeError when the answer does not match the schema
 */
export async function callApi<Schema extends v.GenericSchema>(
  schema: Schema,
  path: string,
  init?: RequestInit,
): Promise<v.InferOutput<Schema>> {
  // The standard interface of schemas: so only pages that have schemas contain the library that made them.
  const result = await schema['~standard'].validate(await fetchJson(path, init));
  if (result.issues) throw new TypeError(`The answer does not fit: ${result.issues[0]?.message}`);
  return result.value;
}

/** Calls our API. The caller has to validate the JSON of the answer; it is undefined for a 204. */
export async function fetchJson(path: string, init: RequestInit = {}): Promise<unknown> {
  const answer = init.method === undefined ? takeResponse(path) : undefined;
  if (answer) return answer;

  return fetchInTime(path, init, async (response) => {
    if (!response.ok) throw await readProblem(response);

    return response.status === 204 ? undefined : ((await response.json()) as unknown);
  });
}

/** The options of a `POST` request with a JSON body. */
export function postJson(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function readProblem(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as Partial<Problem> | null | undefined;
  if (typeof body?.code !== 'string' || typeof body.title !== 'string')
    return new ApiError('server.unexpected', `The server answered ${response.status}.`, true, retryAtOf(response));

  const { code, title, detail, retryable = true, until, now = Date.now() } = body;
  const untilHere = until === undefined ? undefined : Date.now() + until - now;
  return new ApiError(code, detail ?? title, retryable, retryAtOf(response) ?? untilHere);
}

/** Reads the header `Retry-After`, in seconds, as a moment in epoch milliseconds by the clock of this device. */
export function retryAtOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? Date.now() + seconds * 1000 : undefined;
}
