import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Configuration, container, rspack } from '@rspack/core';
import type { Routes } from './shared/contracts/src/pages.ts';
import { CONTRACT_VERSION, type RemoteUnit, type Unit } from './shared/contracts/src/release.ts';
import { ChunkElementPlugin } from './scripts/build/chunk-element-plugin.ts';
import { editingExternals, editingPlugins, isEdited } from './scripts/build/editing.ts';
import { OwnPackagesPlugin } from './scripts/build/own-packages-plugin.ts';
import { ReleasePlugin } from './scripts/build/release-plugin.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(import.meta.url);

/** What is being edited lies beside what is built for visitors, under names that stay: pages fetch the difference. */
const DIST = join(root, isEdited ? 'dist/dev' : 'dist');
const HASH = isEdited ? '' : '.[contenthash:8]';

/** Seconds until a chunk that does not arrive has failed: the product's constant, compiled into each unit. */
const CHUNK_LOAD_TIMEOUT_MS = 120_000;

/** What a remote asks the page for, in place of a copy of its own. The shell brings them (shell/src/federation/shared-packages.ts). */
const SHARED_PACKAGES = ['react', 'react/jsx-runtime', 'react-dom', 'zustand', '@app/platform'];

/**
 * The frame of the site. Everything it shares is in its first file, so nothing waits for a second round.
 * @param routes the shell's own pages
 */
export function defineShell(routes: Routes): Configuration {
  const { version } = manifestOf('shell');

  return defineUnit({
    unit: 'shell',
    folder: 'shell',
    entry: { shell: './src/start.tsx' },
    plugins: [
      // What the federation runtime would bring for Node and for manifests, which this page has neither of.
      new rspack.DefinePlugin({ ENV_TARGET: JSON.stringify('web'), FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true }),
      new ReleasePlugin({ unit: 'shell', version, contract: { provides: CONTRACT_VERSION }, routes }),
    ],
  });
}

/**
 * A product area, loaded by the shell at run time.
 * @param routes its pages; each is the chunk of its name
 */
export function defineRemote(unit: RemoteUnit, routes: Routes): Configuration {
  const { version } = manifestOf(`remotes/${unit}`);
  const globalName = containerName(unit, version);

  return defineUnit({
    unit,
    folder: `remotes/${unit}`,
    entry: {},
    plugins: [
      // The first version of the plugin gives a 4 KB entry, and runs under the shell's second-version runtime.
      new container.ModuleFederationPluginV1({
        name: globalName,
        library: { type: 'global', name: globalName },
        filename: `remoteEntry${HASH}.js`,
        exposes: { './remote': { import: './src/remote.ts', name: 'remote' } },
        shared: Object.fromEntries(SHARED_PACKAGES.map((name) => [name, { singleton: true, import: false as const }])),
      }),
      new ReleasePlugin({ unit, version, globalName, contract: { requires: CONTRACT_VERSION }, routes }),
    ],
  });
}

/** The API and the programs beside it: our own code in a file each, npm packages left where npm put them. */
export function defineServer(): Configuration {
  return {
    ...common('api'),
    name: 'api',
    target: 'node20',
    entry: {
      main: './src/main.ts',
      checkpoint: './src/db/checkpoint-worker.ts',
      ops: './src/ops/main.ts',
      seed: './src/ops/seed/main.ts',
    },
    externalsType: 'module',
    externals: [
      ({ request }, callback) => {
        const isOurs = /^(\.|\/|#api\/|@app\/)/.test(request ?? '');
        return isOurs ? callback() : callback(undefined, request);
      },
    ],
    output: {
      path: join(DIST, 'api'),
      filename: '[name].js',
      module: true,
      chunkFormat: 'module',
      library: { type: 'module' },
    },
    optimization: { minimize: false },
    plugins: [new OwnPackagesPlugin()],
  };
}

interface UnitOptions {
  unit: Unit;
  folder: string;
  entry: Record<string, string>;
  plugins: NonNullable<Configuration['plugins']>;
}

function defineUnit({ unit, folder, entry, plugins }: UnitOptions): Configuration {
  const { version } = manifestOf(folder);
  const publicPath = unit === 'shell' ? `/releases/shell/${version}/` : 'auto';

  return {
    ...common(folder),
    name: unit,
    target: ['web', 'es2022'],
    entry,
    output: {
      path: join(DIST, unit, version),
      publicPath,
      uniqueName: containerName(unit, version),
      filename: `static/js/[name]${HASH}.js`,
      chunkFilename: `static/js/[name]${HASH}.js`,
      cssFilename: `static/css/[name]${HASH}.css`,
      cssChunkFilename: `static/css/[name]${HASH}.css`,
      assetModuleFilename: `static/media/[name]${HASH}[ext]`,
      crossOriginLoading: 'anonymous',
      chunkLoadTimeout: CHUNK_LOAD_TIMEOUT_MS,
    },
    externals: isEdited ? editingExternals(unit) : {},
    plugins: [
      ...plugins,
      new ChunkElementPlugin(),
      ...(isEdited ? editingPlugins(unit) : [new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] })]),
    ],
    optimization: { splitChunks: false, runtimeChunk: false },
  };
}

function common(folder: string): Configuration {
  return {
    mode: isEdited ? 'development' : 'production',
    // Never one that evaluates text: the Content-Security-Policy holds here too.
    devtool: isEdited && 'cheap-module-source-map',
    context: join(root, folder),
    resolve: { extensions: ['.ts', '.tsx', '.js'], alias: { 'react-router$': ROUTER_FOR_VISITORS } },
    module: {
      rules: [
        { test: /\.css$/, type: 'css/auto' },
        { test: /\/messages\/[a-z-]+\.json$/, type: 'json', loader: join(root, 'scripts/build/message-loader.mjs') },
        // Files that a page shows as they are.
        { resourceQuery: /raw/, type: 'asset/source' },
        {
          test: /\.[jt]sx?$/,
          resourceQuery: { not: [/raw/] },
          exclude: /node_modules/,
          loader: 'builtin:swc-loader',
          options: { jsc: swc({ refresh: isEdited && folder !== 'api' }), env: undefined },
          type: 'javascript/auto',
        },
      ],
      parser: { 'css/auto': { namedExports: false } },
      // The container's name keeps two versions of a unit from meeting in one class name.
      generator: { 'css/auto': { localIdentName: '[uniqueName]-[hash:base64:6]' } },
    },
    performance: { hints: false },
    infrastructureLogging: { level: 'warn' },
  };
}

/** The package's exports lead every bundler to its build for developers, warnings and all. */
const ROUTER_FOR_VISITORS = join(root, 'node_modules/react-router/dist/production/index.mjs');

function swc({ refresh }: { refresh: boolean }) {
  return {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', refresh } },
  };
}

/** Carries the version, so that two versions of a unit can live in one page. */
function containerName(unit: Unit, version: string): string {
  return `${unit}__${version}`.replaceAll(/[^A-Za-z0-9]/g, '_');
}

function manifestOf(folder: string): { version: string } {
  return require(join(root, folder, 'package.json')) as { version: string };
}
