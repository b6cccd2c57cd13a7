import * as v from 'valibot';
import { ProviderError, readJson } from '#api/http/call-provider.ts';

/** Reads a JSON reply of a documented shape; any other is a failure, in the words of `otherwise`. */
export function readReply<Schema extends v.GenericSchema>(
  schema: Schema,
  otherwise: string,
): (reply: string) => v.InferOutput<Schema> {
  return (reply) => {
    const result = v.safeParse(schema, readJson(reply));
    if (result.success) return result.output;

    throw new ProviderError(otherwise, { failure: 'unfit' });
  };
}
