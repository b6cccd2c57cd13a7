import { problemSchema, type ErrorCode } from '@app/contracts/errors';
import * as v from 'valibot';

/** A refusal by our API, under the code of the error table. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, retryable: boolean) {
    super(message);
    this.code = code;
    this.retryable = retryable;
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
  const response = await fetch(path, { credentials: 'same-origin', ...init });
  if (!response.ok) throw await readProblem(response);

  return v.parse(schema, await response.json());
}

/** A request with a JSON body. */
export function postJson(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function readProblem(response: Response): Promise<ApiError> {
  const body = v.safeParse(problemSchema, await response.json().catch(() => undefined));
  if (!body.success) return new ApiError('server.unexpected', `The server answered ${response.status}.`, true);

  return new ApiError(body.output.code, body.output.detail ?? body.output.title, body.output.retryable);
}
