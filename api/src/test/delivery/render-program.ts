import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { makeFolder } from '#api/test/make-folder.ts';

const SOURCE = resolve(import.meta.dirname, '../../delivery/rendering/render-process.ts');

/**
 * Makes the program of the renderer's process from its source, as the build does.
 * @param prefix code that runs first
 * @returns its path, until the test ends
 */
export function makeRenderProgram(prefix = ''): string {
  const path = join(makeFolder(), 'render.mjs');
  writeFileSync(path, prefix + stripTypeScriptTypes(readFileSync(SOURCE, 'utf8')));
  return path;
}
