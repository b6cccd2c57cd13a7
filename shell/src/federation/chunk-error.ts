import type { LoadReport } from '@app/contracts/load-report';
import { HostApiError } from './host-api-error.ts';

export type ChunkErrorType = 'missing' | 'timeout' | 'error';

/** Code or styles of a unit did not arrive. The product specification gives its name and message. */
export class ChunkError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: ChunkErrorType;
  /** The address that was requested, if it is known. */
  readonly request: string | undefined;

  constructor(id: string, type: ChunkErrorType, request?: string, cause?: unknown) {
    super(`Loading chunk ${id} failed`, { cause });
    this.type = type;
    this.request = request;
  }
}

/**
 * Turns what the bundler's runtime or the federation runtime threw while it loaded code into a ChunkError. What the code
 * itself threw stays as it is: it arrived, and crashed.
 * @param id what was loading, for an error that does not name its chunk
 */
export function toLoadError(thrown: unknown, id: string): Error {
  if (thrown instanceof ChunkError) return thrown;
  if (!(thrown instanceof Error)) return new Error(String(thrown), { cause: thrown });

  const named = /Loading (?:css )?chunk (\S+) failed/i.exec(thrown.message)?.[1];
  if (!named && !thrown.message.includes('RUNTIME-')) return thrown;

  const type: unknown = Reflect.get(thrown, 'type');
  const request: unknown = Reflect.get(thrown, 'request');

  // A script that registered nothing, or threw while it ran, counts as missing.
  return new ChunkError(
    named ?? id,
    isType(type) ? type : 'missing',
    typeof request === 'string' ? request : undefined,
    thrown,
  );
}

/** What a load report says of an error. */
export function failureOf(error: Error): LoadReport['failure'] {
  if (error instanceof ChunkError) return error.type;
  return error instanceof HostApiError ? 'missing' : 'crashed';
}

function isType(value: unknown): value is ChunkErrorType {
  return value === 'missing' || value === 'timeout' || value === 'error';
}
