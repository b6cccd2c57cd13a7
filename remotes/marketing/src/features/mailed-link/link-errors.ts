import { ApiError } from '@app/platform';
import { sayLimit } from '../../say-limit.ts';

/** Whether an error says that a link has been used, has ended, or never was one. */
export function isOverBy(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'RST_TOKEN';
}

/** The sentence for too many tries; undefined for any other failure. */
export function explainLimit(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === 'KS_LIMIT' ? sayLimit(error.retryAt) : undefined;
}
