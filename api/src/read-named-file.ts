import { readFileSync } from 'node:fs';
import { EnvError } from './env.ts';

/**
 * Reads the file that a setting names.
 * @throws EnvError that names the setting, when the file is missing or `read` refuses it
 */
export function readNamedFile<Content>(setting: string, path: string, read: (text: string) => Content): Content {
  try {
    return read(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new EnvError(`${setting}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
