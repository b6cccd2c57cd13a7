import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '#api/foundation/settings/errors.ts';

/**
 * Reads a secret from its file. Where there is no file yet, it makes the secret and writes the file first.
 * The file appears complete or not at all. When two processes start at once, both use the secret of the first one.
 */
export function readOrGenerateSecret(path: string, make: () => string): string {
  const generated = readIfThere(path);
  if (generated !== undefined) return generated;

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  writeDurably(draft, make());
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(codeOf(error) === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8');
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a text file; undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
