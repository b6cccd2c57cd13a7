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

/** The server bundle of a shell: a page is a function that gives its HTML, within a frame. */
export const SHELL_BUNDLE = `
exports.sharedPackages = { react: { lib: () => ({ name: 'react of the shell' }) } };
exports.renderPage = async (remote, { path, unit, version, settings }) =>
  '<main data-unit="' + unit + '" data-version="' + version + '">' + (await remote.pages[path](settings)) + '</main>';
`;

/** The server bundle of a remote. `pages`: the body of the function that makes the page's HTML, by path. */
export function remoteBundle(pages: Readonly<Record<string, string>>): string {
  const functions = Object.entries(pages).map(([path, body]) => `${JSON.stringify(path)}: async () => { ${body} }`);
  return `const react = require('react'); exports.default = { pages: { ${functions.join(', ')} } };`;
}
