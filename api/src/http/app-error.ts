import { ERRORS, type ErrorCode } from '@app/contracts/errors';

/** A failure the caller can act on. Anything else that is thrown is a bug, and answers 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** When it is worth another try, in epoch milliseconds, where that is known. */
  readonly until: number | undefined;

  /** @param detail what was wrong this time; the general sentence stands in the table of errors */
  constructor(code: ErrorCode, detail?: string, { until, ...options }: ErrorOptions & { until?: number } = {}) {
    super(detail ?? ERRORS[code].title, options);
    this.code = code;
    this.until = until;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
