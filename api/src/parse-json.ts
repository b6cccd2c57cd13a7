import * as v from 'valibot';

/**
 * Reads the text of a settings file.
 * @throws Error that names each field that is wrong, or says that the text is no JSON
 */
export function parseJson<const Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
  const result = v.safeParse(schema, readJson(text));
  if (result.success) return result.output;

  throw new Error(result.issues.map((issue) => `${v.getDotPath(issue) ?? 'the file'} ${describe(issue)}`).join('; '));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the file, which may be a secret.
    throw new Error('is not JSON');
  }
}

/** A rule's own words, or what should have been there. Never what is there: it may be a secret. */
function describe({ type, expected, message }: v.BaseIssue<unknown>): string {
  const isMember = /^(strict_)?object$/.test(type);
  if (isMember && expected === 'never') return 'is not known';
  if (isMember && expected !== 'Object') return 'is missing';

  return message.startsWith('Invalid ') ? `must be ${expected ?? 'another'}` : message;
}
