import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Compiler, type Configuration, container, rspack } from '@rspack/core';
import { pageNames, type Routes } from './shared/contracts/src/pages.ts';
import { containerNameOf, SERVER_BUNDLE, SERVER_MAP } from './shared/contracts/src/release.ts';
import { SHELL, type Unit } from './shared/contracts/src/unit.ts';
import { common, DIST } from './tools/build/common-config.ts';
import { editingExternals, editingPlugins, isEdited } from './tools/build/editing.ts';
import { federationManifest, type ManifestOptions } from './tools/build/federation-manifest.ts';
import { OLDEST_BROWSERS_QUERY } from './shared/contracts/src/oldest-browsers.ts';
import { releaseJson } from './tools/build/release-plugin.ts';
import { shareSingletons, versionFreeChunks, watchChunkElements } from './tools/build/runtime-plugins.ts';
import { thirdPartyNotices } from './tools/build/third-party-notices-plugin.ts';
import { translationFiles } from './tools/build/translations-plugin.ts';
import {
  commitOf,
  folderOf,
  loaderFile,
  refuseUnusedSettings,
  sourcesOf,
  translations,
  versionOf,
} from './tools/build/unit-folder.ts';

type Plugins = NonNullable<Configuration['plugins']>;

/** The folder of the built units. `scripts/build-release.ts` names another one. */
const RELEASES = process.env['RELEASE_OUT'] ?? DIST;
const HASH = isEdited ? '' : '.[contenthash:8]';
const ASSET_NAME = `static/media/[name]${HASH}[ext]`;

/**
 * The packages that remotes take from the page instead of a copy of their own. The shell contains them
 * (shell/src/federation/shared-packages.ts).
 */
const SHARED_PACKAGES = ['react', 'react/jsx-runtime', 'react-dom', 'zustand', '@app/platform'];

/**
 * The page has one copy of each. Whether it is the right one is for the host API to say, which knows the names; versions
 * in the package.json of a repository of its own are addresses of packs.
 */
const FROM_THE_PAGE = { singleton: true, import: false, requiredVersion: false } as const;

/**
 * The Rspack configuration of the shell. All shared packages are in its first file, so a page needs no second round of
 * requests for them.
 * @param routes the shell's own pages
 * @param added what the release contains besides, for which the preset has no code
 */
export function defineShell(routes: Routes, added: Plugins = []): Configuration[] {
  const described = describeUnit(SHELL);
  const library = { type: 'global', name: SHELL } as const;

  return defineUnit({
    unit: SHELL,
    routes,
    entry: { shell: './src/start.tsx' },
    serverEntry: './src/render.tsx',
    plugins: [
      // Removes the parts of the federation runtime for Node, for manifests and for several versions of what is shared,
      // which the page does not need.
      new rspack.DefinePlugin({
        ENV_TARGET: JSON.stringify('web'),
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
        FEDERATION_OPTIMIZE_NO_SHARED: true,
      }),
      ...added,
      ...manifestOf({ name: SHELL, version: described.version, library, shared: SHARED_PACKAGES }),
      releaseJson({ ...described, routes }),
    ],
  });
}

/**
 * The Rspack configuration of a remote, which the shell loads at run time.
 * @param routes the pages of the remote; each has a chunk with its name
 * @throws Error for settings of tools that no build here runs
 */
export function defineRemote(unit: Unit, routes: Routes): Configuration[] {
  refuseUnusedSettings(unit);
  const described = describeUnit(unit);
  const globalName = containerNameOf(unit, described.version);
  const exposed = {
    name: unit,
    library: { type: 'global', name: globalName } as const,
    // What `npm run dev` edits has no other host.
    exposes: { './remote': { import: isEdited ? './src/remote.ts' : '@app/brand-ui/exposed', name: 'remote' } },
  };

  return defineUnit({
    unit,
    routes,
    entry: {},
    serverEntry: './src/remote.ts',
    plugins: [
      // The small container of Rspack's two: its entry is 5 KB and works with every runtime. The other one, which the
      // plugin of @module-federation/enhanced uses, brings a runtime of its own (30 KB).
      new container.ModuleFederationPluginV1({
        ...exposed,
        filename: `remoteEntry${HASH}.js`,
        shared: Object.fromEntries(SHARED_PACKAGES.map((name) => [name, FROM_THE_PAGE])),
      }),
      shareSingletons,
      ...manifestOf({ ...exposed, version: described.version, shared: SHARED_PACKAGES }),
      releaseJson({ ...described, globalName, routes }),
    ],
  });
}

/** What `npm run dev` edits is no release, so no other host loads it. */
function manifestOf(options: ManifestOptions): Plugins {
  return isEdited ? [] : [federationManifest(options)];
}

/**
 * Names the classes of a CSS module by its content, too. A page that falls back to another release of a unit has the
 * stylesheets of both: what they share is the same, and what differs has other names.
 */
function nameClassesByContent(compiler: Compiler): void {
  compiler.hooks.normalModuleFactory.tap('css-content', (factory) => {
    factory.hooks.afterResolve.tap('css-content', ({ createData }) => {
      const resource = createData?.resource;
      if (!createData || !resource?.endsWith('.module.css')) return;
      const hash = createHash('sha256').update(readFileSync(resource)).digest('hex').slice(0, 8);
      createData.resource = `${resource}?${hash}`;
    });
  });
}

/** Leaves out of a server bundle what nothing uses, which is most of the router. Names and lines stay. */
const UNUSED_CODE_REMOVER = new rspack.SwcJsMinimizerRspackPlugin({
  test: /\.cjs$/,
  extractComments: false,
  minimizerOptions: {
    compress: { defaults: false, dead_code: true, unused: true, side_effects: true, toplevel: true },
    mangle: false,
    format: { beautify: true, comments: false },
  },
});

/** The file with the names of all others. */
const REMOTE_ENTRY = /remoteEntry/;
/**
 * Short names go to what is written with the letters that a file has most of. The entry has hashes in it by then, of which
 * that of a worker is made of absolute paths: its bytes would depend on the folder.
 */
const NOT_BY_FREQUENCY: object = { disableCharFreq: true };

/** Writes what the oldest browsers understand: also nested rules, and ranges in media queries. */
const FOR_BROWSERS = [
  new rspack.SwcJsMinimizerRspackPlugin({ exclude: REMOTE_ENTRY }),
  new rspack.SwcJsMinimizerRspackPlugin({ include: REMOTE_ENTRY, minimizerOptions: { mangle: NOT_BY_FREQUENCY } }),
  new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: OLDEST_BROWSERS_QUERY } }),
];

/** Names and lines of the sources, without their text. */
const SERVER_SOURCE_MAP = new rspack.SourceMapDevToolPlugin({
  filename: SERVER_MAP,
  append: false,
  noSources: true,
  moduleFilenameTemplate: '[resource-path]',
});

interface UnitOptions {
  unit: Unit;
  routes: Routes;
  entry: Record<string, string>;
  /** The module that the renderer runs to render the unit's pages ahead of time. */
  serverEntry: string;
  plugins: Plugins;
}

/** What `npm run dev` edits is not rendered ahead of time. */
function defineUnit({ serverEntry, ...options }: UnitOptions): Configuration[] {
  if (isEdited) return [defineBrowser(options)];

  const server = defineServerBundle(options.unit, serverEntry);
  return [server, { ...defineBrowser(options), dependencies: [String(server.name)] }];
}

/**
 * What the renderer runs of a unit: all its pages in one file. Class names are those of the browser's build, whose
 * stylesheets and media the HTML uses. Shared packages come from the shell's bundle.
 */
function defineServerBundle(unit: Unit, entry: string): Configuration {
  const browser = common(folderOf(unit));
  const version = versionOf(unit);

  return {
    ...browser,
    name: `${unit} server`,
    target: 'node24',
    entry: { server: entry },
    output: {
      path: join(RELEASES, unit, version),
      publicPath: `/releases/${unit}/`,
      uniqueName: unit,
      filename: SERVER_BUNDLE,
      assetModuleFilename: ASSET_NAME,
      library: { type: 'commonjs2' },
      asyncChunks: false,
    },
    module: {
      ...browser.module,
      generator: {
        ...browser.module.generator,
        'css/auto': { ...browser.module.generator['css/auto'], exportsOnly: true },
        asset: { emit: false },
        'asset/resource': { emit: false },
      },
      // Workers run in browsers only.
      parser: { ...browser.module.parser, javascript: { worker: false, url: false } },
    },
    plugins: [
      nameClassesByContent,
      new rspack.DefinePlugin({ 'import.meta.url': JSON.stringify('file:///') }),
      SERVER_SOURCE_MAP,
    ],
    externalsType: 'commonjs',
    externals: unit === SHELL ? [] : SHARED_PACKAGES.map((name) => ({ [name]: name })),
    // A page that throws is refused with its stack, so names stay as they are written.
    optimization: { minimize: true, minimizer: [UNUSED_CODE_REMOVER], splitChunks: false },
  };
}

function defineBrowser({ unit, routes, entry, plugins }: Omit<UnitOptions, 'serverEntry'>): Configuration {
  const version = versionOf(unit);
  const container = containerNameOf(unit, version);
  const publicPath = unit === SHELL ? `/releases/shell/${isEdited ? `${version}/` : ''}` : 'auto';
  const base = common(folderOf(unit));
  const pageNamesRule = {
    test: /[\\/]src[\\/](?:pages[\\/])?routes\.ts$/,
    include: sourcesOf(unit),
    loader: loaderFile('page-names-loader'),
    options: { names: pageNames(routes) },
  };

  return {
    ...base,
    resolve: {
      ...base.resolve,
      alias: { ...base.resolve.alias, 'remote-of-this-unit$': join(base.context, 'src/remote.ts') },
    },
    // What `npm run dev` edits may get a page more, which this list does not know.
    module: { ...base.module, rules: [...base.module.rules, ...(isEdited ? [] : [pageNamesRule])] },
    name: unit,
    target: `browserslist:${OLDEST_BROWSERS_QUERY.join(', ')}`,
    entry,
    output: {
      path: join(RELEASES, unit, version),
      publicPath,
      uniqueName: isEdited ? container : unit,
      filename: `static/js/[name]${HASH}.js`,
      chunkFilename: `static/js/[name]${HASH}.js`,
      cssFilename: `static/css/[name]${HASH}.css`,
      cssChunkFilename: `static/css/[name]${HASH}.css`,
      assetModuleFilename: ASSET_NAME,
      crossOriginLoading: 'anonymous',
    },
    externals: isEdited ? editingExternals(unit) : {},
    plugins: [
      ...plugins,
      watchChunkElements,
      translationFiles(unit, translations, HASH !== ''),
      ...(isEdited
        ? editingPlugins(unit)
        : [
            nameClassesByContent,
            versionFreeChunks(container),
            new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
            thirdPartyNotices(
              unit === SHELL ? globSync(translations.map((folder) => join(folder, '*/LICENSE.txt'))) : [],
            ),
          ]),
    ],
    optimization: { splitChunks: false, runtimeChunk: false, minimizer: FOR_BROWSERS },
  };
}

/** What is known of a unit before it is built. What is served from the working copy is of no commit. */
function describeUnit(unit: Unit) {
  const isDevelopment = isEdited || process.env['RELEASE_VERSION'] !== undefined;
  return {
    unit,
    version: versionOf(unit),
    commit: isDevelopment ? null : commitOf(unit),
    sharedPackages: SHARED_PACKAGES,
  };
}
