export type ChunkErrorType = 'missing' | 'timeout' | 'error';

/** The one way in which code or styles of a unit can fail to arrive, as the product specification words it. */
export class ChunkError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: ChunkErrorType;
  /** The address that was asked, where one was. */
  readonly request: string | undefined;

  constructor(id: string, type: ChunkErrorType, request?: string) {
    super(`Loading chunk ${id} failed`);
    this.type = type;
    this.request = request;
  }
}

/**
 * Gives the errors of the bundler's runtime and of the federation runtime their one shape.
 * @param id what was being loaded, for an error that does not say so itself
 */
export function toChunkError(thrown: unknown, id: string): ChunkError {
  if (thrown instanceof ChunkError) return thrown;
  if (!(thrown instanceof Error)) return new ChunkError(id, 'missing');

  const named = /Loading (?:css )?chunk (\S+) failed/i.exec(thrown.message)?.[1];
  const type: unknown = Reflect.get(thrown, 'type');
  const request: unknown = Reflect.get(thrown, 'request');

  // What loaded but registered nothing, or threw while it ran, is as good as missing.
  return new ChunkError(
    named ?? id,
    isType(type) ? type : 'missing',
    typeof request === 'string' ? request : undefined,
  );
}

function isType(value: unknown): value is ChunkErrorType {
  return value === 'missing' || value === 'timeout' || value === 'error';
}
