import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { type ConfinedOptions, createRunConfined } from '#api/delivery/rendering/run-confined.ts';
import { createTryEntry, type TryEntry } from '#api/delivery/rendering/try-entry.ts';
import { makeFolder } from '#api/test/make-folder.ts';

const SOURCES = resolve(import.meta.dirname, '../../delivery/rendering');

/**
 * Makes the program of a confined process from its source, as the build does.
 * @param prefix code that runs first
 * @returns its path, until the test ends
 */
export function makeRenderProgram(prefix = '', name = 'render-process'): string {
  const path = join(makeFolder(), `${name}.mjs`);
  writeFileSync(path, prefix + stripTypeScriptTypes(readFileSync(join(SOURCES, `${name}.ts`), 'utf8')));
  return path;
}

/** Tries entries in a process of its own. */
export function makeTryEntry(options: Partial<ConfinedOptions> = {}): TryEntry {
  return createTryEntry(createRunConfined({ program: makeRenderProgram('', 'try-entry-process'), ...options }));
}
