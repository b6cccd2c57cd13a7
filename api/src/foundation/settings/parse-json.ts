import * as v from 'valibot';

/**
 * Parses the text of a settings file.
 * @throws Error that names each wrong member, or says that the text is not JSON
 */
export function parseJson<const Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
  const result = v.safeParse(schema, readJson(text));
  if (result.success) return result.output;

  throw new Error(
    result.issues.map((issue) => `${v.getDotPath(issue) ?? 'the file'} ${describeIssue(issue)}`).join('; '),
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the file, which may contain a secret.
    throw new Error('is not JSON');
  }
}

/**
 * Describes what is wrong: the rule's own message, or what was expected. Never the value itself, which may be a secret.
 */
export function describeIssue({ type, expected, message }: v.BaseIssue<unknown>): string {
  const isMember = /^(strict_)?object$/.test(type);
  if (isMember && expected === 'never') return 'is not known';
  if (isMember && expected !== 'Object') return 'is missing';

  return message.startsWith('Invalid ') ? `must be ${expected ?? 'another'}` : message;
}
