export type ChunkErrorType = 'missing' | 'timeout' | 'error';

/** Code or styles of a unit did not arrive. The product specification gives its name and message. */
export class ChunkError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: ChunkErrorType;
  /** The address that was requested, if it is known. */
  readonly request: string | undefined;

  constructor(id: string, type: ChunkErrorType, request?: string) {
    super(`Loading chunk ${id} failed`);
    this.type = type;
    this.request = request;
  }
}

/**
 * Turns an error of the bundler's runtime or of the federation runtime into a ChunkError.
 * @param id what was loading, for an error that does not name its chunk
 */
export function toChunkError(thrown: unknown, id: string): ChunkError {
  if (thrown instanceof ChunkError) return thrown;
  if (!(thrown instanceof Error)) return new ChunkError(id, 'missing');

  const named = /Loading (?:css )?chunk (\S+) failed/i.exec(thrown.message)?.[1];
  const type: unknown = Reflect.get(thrown, 'type');
  const request: unknown = Reflect.get(thrown, 'request');

  // A script that registered nothing, or threw while it ran, counts as missing.
  return new ChunkError(
    named ?? id,
    isType(type) ? type : 'missing',
    typeof request === 'string' ? request : undefined,
  );
}

function isType(value: unknown): value is ChunkErrorType {
  return value === 'missing' || value === 'timeout' || value === 'error';
}
