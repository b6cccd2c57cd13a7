import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rspack, type Stats } from '@rspack/core';
import { ThirdPartyNoticesPlugin } from '../build/third-party-notices-plugin.ts';
import { THIRD_PARTY_NOTICES } from '../../shared/contracts/src/release.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const ENTRY = 'tools/packs/tool/main.ts';

/** What may be in the tool: everybody can read it, and it needs no server. */
const PUBLIC =
  /^(tools\/packs\/|tools\/build\/(read-commit|write-release)\.ts$|shared\/contracts\/src\/|api\/src\/ops\/(release\/)?[a-z-]+\.ts$|api\/src\/delivery\/store\/(release-files|release-archive|staged-release)\.ts$|(api\/)?node_modules\/(@app\/contracts\/src|@commander-js\/extra-typings|commander|cssesc|modern-tar|nanoid|p-limit|picocolors|postcss|postcss-selector-parser|source-map-js|util-deprecate|valibot|yocto-queue)\/)/;

/**
 * Makes one file of the tool of teams, with the commands that operators have for a site elsewhere.
 * @returns the files, by their names
 * @throws Error when it would contain code of the server
 */
export async function bundleTool(): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'release-tool-'));
  const compiler = rspack({
    mode: 'production',
    devtool: false,
    context: ROOT,
    target: 'node24',
    entry: { release: `./${ENTRY}` },
    resolve: { extensions: ['.ts', '.js'], symlinks: false },
    module: {
      rules: [
        {
          test: /\.ts$/,
          loader: 'builtin:swc-loader',
          options: { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } },
          type: 'javascript/auto',
        },
      ],
      parser: { javascript: { importMeta: false, url: false } },
    },
    externalsType: 'module',
    externals: [({ request = '' }, done) => (isBuiltin(request) ? done(undefined, request) : done())],
    output: { path: folder, filename: '[name].js', module: true, chunkFormat: 'module', library: { type: 'module' } },
    // Its users can read it.
    optimization: { minimize: false, nodeEnv: false, concatenateModules: true },
    plugins: [new ThirdPartyNoticesPlugin()],
  });
  try {
    const stats = await new Promise<Stats>((resolve, reject) =>
      compiler.run((error, built) => (built ? resolve(built) : reject(error ?? new Error('Nothing was built')))),
    );
    if (stats.hasErrors()) throw new Error(stats.toString({ preset: 'errors-only', colors: false }));

    const foreign = [...stats.compilation.modules]
      .flatMap((module) => module.nameForCondition() ?? [])
      .map((file) => relative(ROOT, file))
      .filter((file) => !PUBLIC.test(file));
    if (foreign.length > 0) throw new Error(`The tool of teams would contain ${foreign.join(', ')}`);

    return Object.fromEntries(
      ['release.js', THIRD_PARTY_NOTICES].map((name) => [name, readFileSync(join(folder, name))]),
    );
  } finally {
    await new Promise((resolve) => void compiler.close(resolve));
    await rm(folder, { recursive: true });
  }
}
