import { rmSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { type Compiler, type Configuration, rspack } from '@rspack/core';
import { common, DIST } from '../tools/build/common-config.ts';
import { thirdPartyNotices } from '../tools/build/third-party-notices-plugin.ts';

const server = common('api');

/**
 * Stay packages: the driver of PostgreSQL and the log look for optional parts of theirs. ws and debug go without their
 * optional packages.
 */
const HTTP = /^(node:)?https?$/;

const UNBUNDLED = /^(pg|pino|bufferutil|utf-8-validate|supports-color)$/;

/**
 * Leaves out comments, and writes what is not ASCII as escapes. V8 keeps the source, with two bytes for each character
 * when a single one needs them: 14.5 MB of it otherwise, 4.4 MB so. Names and lines stay for stacks.
 */
const COMMENT_REMOVER = new rspack.SwcJsMinimizerRspackPlugin({
  extractComments: false,
  minimizerOptions: { minify: false, compress: false, mangle: false, format: { comments: false, ascii_only: true } },
});

/**
 * The Rspack configuration of the API and its other programs. Each becomes one file with nearly all packages in it: Node
 * takes a second to find and read their thousand files.
 */
const config: Configuration = {
  ...server,
  name: 'api',
  target: 'node24',
  entry: {
    main: './src/server/main.ts',
    checkpoint: './src/foundation/db/sqlite/checkpoint-worker.ts',
    ops: './src/ops/main.ts',
    release: './src/ops/release/main.ts',
    render: './src/delivery/rendering/render-process.ts',
    seed: './src/ops/seed/main.ts',
    signer: './src/signer/main.ts',
    'try-entry': './src/delivery/rendering/try-entry-process.ts',
  },
  externalsType: 'module',
  externals: [
    ({ request = '', dependencyType }, callback) => {
      // Packages require some parts of Node only when they need them, and not every Node has all of them. An import of http
      // reads all that it exports, also its WebSocket, for which Node loads its fetch: 25 ms of each start.
      const type = dependencyType === 'commonjs' || HTTP.test(request) ? 'node-commonjs' : 'module';
      return isBuiltin(request) || UNBUNDLED.test(request) ? callback(undefined, request, type) : callback();
    },
  ],
  output: {
    path: join(DIST, 'api'),
    filename: '[name].js',
    module: true,
    chunkFormat: 'module',
    library: { type: 'module' },
  },
  // Express looks for engines of templates in a folder that only it knows. There are none.
  module: { ...server.module, parser: { ...server.module.parser, javascript: { exprContextCritical: false } } },
  // A thread that shares a chunk with the program does not start: its runtime lacks what takes the chunk (Rspack 2.3.3).
  optimization: { minimize: true, minimizer: [COMMENT_REMOVER], nodeEnv: false, splitChunks: false },
  plugins: [linkOwnPackages, thirdPartyNotices()],
};

/**
 * Lets programs in `dist` find the packages of this workspace. When the root has another version of a package, npm
 * installs the workspace's in the workspace's own node_modules; from `dist`, Node would find the root's.
 */
function linkOwnPackages(compiler: Compiler): void {
  compiler.hooks.afterEmit.tap('own-packages', () => {
    const link = join(compiler.outputPath, 'node_modules');
    rmSync(link, { force: true });
    symlinkSync(relative(compiler.outputPath, join(compiler.context, 'node_modules')), link);
  });
}

export default config;
