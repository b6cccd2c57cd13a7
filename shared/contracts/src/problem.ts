import * as v from 'valibot';
import type { ErrorCode } from './errors.ts';

/**
 * An error answer: problem details of RFC 9457, with our code and more. Pages take any code, also one that was added
 * after they were built, so that they need not carry the table of all errors.
 */
export const problemSchema = v.object({
  /** The address of the page that explains the code, such as `https://site.example/errors#KS_HWID`. */
  type: v.string(),
  title: v.string(),
  status: v.number(),
  detail: v.optional(v.string()),
  /** Everything that is wrong, a sentence each, where one answer can name several things. */
  problems: v.optional(v.array(v.string())),
  /** The versions of the API that there are, where another one was asked for. */
  supported: v.optional(v.array(v.string())),
  code: v.custom<ErrorCode>((code) => typeof code === 'string'),
  retryable: v.boolean(),
  until: v.optional(v.number()),
  /** The id under which the server has logged the error. */
  ref: v.string(),
  /** The server's clock, in epoch milliseconds. */
  now: v.number(),
});
export type Problem = v.InferOutput<typeof problemSchema>;
