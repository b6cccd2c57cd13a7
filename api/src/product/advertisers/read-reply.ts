import * as v from 'valibot';
import { ProviderError, readJson } from '#api/foundation/http/call-provider.ts';

/**
 * Makes a reader for JSON replies.
 * @param otherwise the message of the error
 * @returns reads a reply, and throws a ProviderError when it does not fit the schema
 */
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
