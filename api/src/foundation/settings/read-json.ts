import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { EnvError } from './env.ts';
import { codeOf, messageOf } from '#api/foundation/settings/errors.ts';

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

/** Never names the value itself, which may be a secret. */
export function describeIssue({ type, expected, message }: v.BaseIssue<unknown>): string {
  const isMember = /^(strict_)?object$/.test(type);
  if (isMember && expected === 'never') return 'is not known';
  if (isMember && expected !== 'Object') return 'is missing';

  return message.startsWith('Invalid ') ? `must be ${expected ?? 'another'}` : message;
}

const REASON_TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'the file may not be read',
  EISDIR: 'this is a folder',
};

/**
 * Reads the file that a setting names.
 * @throws EnvError that names the setting and the file, when the file cannot be read or `read` refuses it
 */
export function readNamedFile<Content>(setting: string, path: string, read: (text: string) => Content): Content {
  try {
    return read(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new EnvError(`${setting}: ${path}: ${REASON_TEXTS[codeOf(error)] ?? messageOf(error)}`, { cause: error });
  }
}
