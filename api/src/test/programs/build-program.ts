import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rspack } from '@rspack/core';
import { makeFolder } from '#api/test/make-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/**
 * Builds a program of the API from its source, as `npm run build` does. Returns its path.
 * @param entry its first file, relative to `api/src`
 * @param folder by default one that stays until the test ends
 */
export async function buildProgram(entry: string, folder = makeFolder()): Promise<string> {
  const own = join(folder, 'api');
  // The program finds packages where it would in the repository.
  mkdirSync(own);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(ROOT, 'api/node_modules'), join(own, 'node_modules'));
  const compiler = rspack({
    mode: 'none',
    devtool: false,
    target: 'node24',
    context: join(ROOT, 'api'),
    entry: { program: join(ROOT, 'api/src', entry) },
    externalsType: 'module',
    externals: [
      ({ request }, callback) =>
        /^(\.|\/|#api\/|@app\/)/.test(request ?? '') ? callback() : callback(undefined, request),
    ],
    module: {
      rules: [
        {
          test: /\.ts$/,
          loader: 'builtin:swc-loader',
          options: { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } },
          type: 'javascript/auto',
        },
      ],
    },
    output: { path: own, filename: '[name].mjs', module: true, chunkFormat: 'module', library: { type: 'module' } },
  });
  await new Promise<void>((done, fail) => {
    compiler.run((error, stats) => {
      if (error) fail(error);
      else if (stats?.hasErrors() === true) fail(new Error(stats.toString('errors-only')));
      else done();
    });
  });
  return join(own, 'program.mjs');
}
