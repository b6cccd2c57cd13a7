import { readFileSync } from 'node:fs';
import { EnvError } from './env.ts';

const REASONS: Readonly<Record<string, string>> = {
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
    throw new EnvError(`${setting}: ${path}: ${describe(error)}`, { cause: error });
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ('code' in error ? REASONS[String(error.code)] : undefined) ?? error.message;
}
