import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Configuration } from '@rspack/core';
import { common } from '../tools/build/common-config.ts';
import { DIST } from '../tools/build/dist-folder.ts';
import { OwnPackagesPlugin } from '../tools/build/own-packages-plugin.ts';
import { ThirdPartyNoticesPlugin } from '../tools/build/third-party-notices-plugin.ts';

const server = common('api');

/**
 * Stay packages: the driver of PostgreSQL and the log look for optional parts of theirs. ws and debug go without their
 * optional packages.
 */
const UNBUNDLED = /^(pg|pino|bufferutil|utf-8-validate|supports-color)$/;

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
      // Packages require some parts of Node only when they need them, and not every Node has all of them.
      const type = dependencyType === 'commonjs' ? 'node-commonjs' : 'module';
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
  optimization: { minimize: false, nodeEnv: false, splitChunks: false },
  plugins: [new OwnPackagesPlugin(), new ThirdPartyNoticesPlugin()],
};

export default config;
