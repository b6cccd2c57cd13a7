import { join } from 'node:path';
import type { Configuration } from '@rspack/core';
import { SHELL } from '../../shared/contracts/src/unit.ts';
import { isEdited } from './editing.ts';
import { FEDERATION_PARTS } from './federation-parts-loader.ts';
import { loaderFile, repository, root } from './unit-folder.ts';

/**
 * The output folder. `npm run dev` builds into a folder of its own, with file names that do not change, so that open
 * pages can fetch updates.
 */
export const DIST = join(repository, isEdited ? 'dist/dev' : 'dist');

/** What the configurations of all targets have in common; `folder` is that of the target, from the root. */
export function common(folder: string) {
  return {
    mode: isEdited ? 'development' : 'production',
    // Never an eval source map: the Content-Security-Policy forbids eval during `npm run dev`, too.
    devtool: isEdited && 'cheap-module-source-map',
    context: join(root, folder),
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      alias: { 'react-router$': join(ROUTER_FOR_VISITORS, 'index.mjs') },
      // Ids and class names come from paths. Those of packages stay the same wherever node_modules really is. Edits are
      // noticed only below real paths.
      symlinks: isEdited,
    },
    module: {
      rules: [
        {
          test: /\.css$/,
          type: 'css/auto',
          // The last one reads first, what is written.
          use: [loaderFile('color-mix-loader'), ...(folder === SHELL ? [] : [loaderFile('page-wide-styles-loader')])],
        },
        { test: /\.css$/, resourceQuery: /confined/, loader: loaderFile('confined-styles-loader') },
        {
          test: /\/(messages|translations\/[a-z]+\/(?!api\/)[a-z-]+)\/[a-z-]+\.json$/,
          type: 'json',
          loader: loaderFile('message-loader'),
        },
        { test: /ReactToastify\.css$/, loader: loaderFile('toast-styles-loader') },
        // Its only effect asks the browser's storage at every start whether the page is debugged (20 ms on a slow phone).
        { test: /@module-federation[/\\]runtime(?:-core)?[/\\]dist[/\\]index\.js$/, sideEffects: false },
        { test: FEDERATION_PARTS, loader: loaderFile('federation-parts-loader') },
        // The compiler marks calls of React as free of effects. So the bundle has no link, form or route of the router
        // that nothing uses, once their names for React's tools are gone, too (8 KB).
        {
          include: ROUTER_FOR_VISITORS,
          use: [{ loader: 'builtin:swc-loader', options: { jsc: swc() } }, loaderFile('debug-names-loader')],
        },
        // Files whose text a page shows.
        { resourceQuery: /raw/, type: 'asset/source' },
        {
          test: /\.[jt]sx?$/,
          resourceQuery: { not: [/raw/] },
          exclude: /node_modules\/(?!@app\/)/,
          loader: 'builtin:swc-loader',
          options: { jsc: swc({ refresh: isEdited && folder !== 'api' }), env: undefined },
          type: 'javascript/auto',
        },
      ],
      // Custom properties keep their names: one module sets what another reads.
      parser: { 'css/auto': { namedExports: false, dashedIdents: false } },
      // The hash is of the unique name, too, which is the unit's: no two units have a class name in common.
      generator: { 'css/auto': { localIdentName: '_[hash:6]' } },
    },
    // An editor that empties a file and then writes it gets one build, not one of the empty file and one more.
    watchOptions: { aggregateTimeout: 50 },
    performance: { hints: false },
    // No warnings: the manifest's package has one about every remote that finds its files by its own address.
    infrastructureLogging: { level: 'error' },
  } satisfies Configuration;
}

/** The production build of the router. Its package exports would give bundlers the development build with warnings. */
const ROUTER_FOR_VISITORS = join(root, 'node_modules/react-router/dist/production');

function swc({ refresh = false } = {}) {
  return {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', refresh } },
  };
}
