import { ERRORS, type ErrorCode } from '@app/contracts/errors';

/** A failure that the caller can act on. Every other error is a bug and is answered with 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** When a retry makes sense, in epoch milliseconds; undefined if unknown. */
  readonly until: number | undefined;
  /** Everything that was wrong, a sentence each. */
  readonly problems: readonly string[] | undefined;
  /** What could be asked for instead. */
  readonly supported: readonly string[] | undefined;

  /** @param detail what was wrong in this case; by default the general title of the code */
  constructor(
    code: ErrorCode,
    detail?: string,
    {
      until,
      problems,
      supported,
      ...options
    }: ErrorOptions & { until?: number; problems?: readonly string[]; supported?: readonly string[] } = {},
  ) {
    super(detail ?? ERRORS[code].title, options);
    this.code = code;
    this.until = until;
    this.problems = problems;
    this.supported = supported;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
