import type { LoadReport } from '@app/contracts/page-reports';
import { HostApiError } from './host-api-error.ts';

export type ChunkErrorType = 'missing' | 'timeout' | 'error';

/** Code or styles of a unit did not arrive. The product specification gives its name and message. */
export class ChunkError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: ChunkErrorType;
  readonly request: string | undefined;
  /** Whether the document may have failed it for good: Firefox never imports a module again that it could not fetch. */
  isRemembered = false;

  constructor(id: string, type: ChunkErrorType, request?: string, cause?: unknown) {
    super(`Loading chunk ${id} failed`, { cause });
    this.type = type;
    this.request = request;
  }
}

/** What Chromium, Firefox and WebKit say of a module that they could not import, and Vite of a stylesheet. */
const IMPORT_ERROR_PATTERN = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** What the code itself threw stays as it is. @param id what was loading, for an error that does not name its chunk */
export function toLoadError(thrown: unknown, id: string): Error {
  if (thrown instanceof ChunkError) return thrown;
  // Some runtimes reject with the event of their element.
  if (thrown instanceof Event) return new ChunkError(id, typeOf(thrown, 'error'), addressOf(thrown.target), thrown);
  if (!(thrown instanceof Error)) return new Error(String(thrown), { cause: thrown });

  const { message } = thrown;
  const [, named] = /Loading (?:css )?chunk (\S+) failed/i.exec(message) ?? [];
  if (named) return new ChunkError(named, typeOf(thrown, 'missing'), requestUrlOf(thrown), thrown);
  if (IMPORT_ERROR_PATTERN.test(message))
    return Object.assign(new ChunkError(id, 'error', /https?:\S+/.exec(message)?.[0], thrown), { isRemembered: true });
  // A script that registered nothing, or threw while it ran, counts as missing.
  return message.includes('RUNTIME-') ? new ChunkError(id, 'missing', requestUrlOf(thrown), thrown) : thrown;
}

export function failureOf(error: Error): LoadReport['failure'] {
  if (error instanceof ChunkError) return error.type;
  return error instanceof HostApiError ? 'missing' : 'crashed';
}

function typeOf(thrown: object, usual: ChunkErrorType): ChunkErrorType {
  const type: unknown = Reflect.get(thrown, 'type');
  return type === 'missing' || type === 'timeout' || type === 'error' ? type : usual;
}

function requestUrlOf(thrown: object): string | undefined {
  const request: unknown = Reflect.get(thrown, 'request');
  return typeof request === 'string' ? request : undefined;
}

function addressOf(element: EventTarget | null): string | undefined {
  if (element instanceof HTMLScriptElement) return element.src;
  return element instanceof HTMLLinkElement ? element.href : undefined;
}
