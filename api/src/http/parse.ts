import * as v from 'valibot';
import { AppError } from './app-error.ts';

/** Untrusted in, typed out; what does not fit is the caller's mistake. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;

  throw new AppError('request.invalid', v.summarize(result.issues));
}
