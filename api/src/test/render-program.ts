import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { makeFolder } from './make-folder.ts';

const SOURCE = resolve(import.meta.dirname, '../features/releases/rendering/render-process.ts');

/**
 * Makes the program of the renderer's process from its source, as the build does.
 * @param prefix code that runs first
 * @returns its path, until the test ends
 */
export function makeRenderProgram(prefix = ''): string {
  const path = join(makeFolder(), 'render.mjs');
  const { outputText } = transpileModule(readFileSync(SOURCE, 'utf8'), {
    compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
  });
  writeFileSync(path, prefix + outputText);
  return path;
}
