import { fileURLToPath } from 'node:url';
import { ModuleFederationPlugin as RspackFederation } from '@module-federation/enhanced/rspack';
import { ModuleFederationPlugin as WebpackFederation } from '@module-federation/enhanced/webpack';
import { pluginModuleFederation } from '@module-federation/rsbuild-plugin';
import { federation } from '@module-federation/vite';
import { createRsbuild } from '@rsbuild/core';
import { rspack } from '@rspack/core';
import { build } from 'vite';
import webpack from 'webpack';

/**
 * `node builders.mjs rspack` builds the host with one builder into `built/rspack`. The lines about the remote are those of
 * docs/teams.md. Who serves the host writes the address of a real release in place of this one.
 */
const RELEASE = 'https://site.example/releases/key-system/1.0.0';

const ONE = { singleton: true };
/** The federation takes the address of a pack in package.json for a version. */
const platform = { singleton: true, requiredVersion: '^3.0.0' };
const shared = { react: ONE, 'react/jsx-runtime': ONE, 'react-dom': ONE, '@app/platform': platform };
const remotes = { 'key-system': `key-system@${RELEASE}/mf-manifest.json` };
const runtimePlugins = [fileURLToPath(import.meta.resolve('@app/platform/hashed-preloads'))];
const options = { name: 'host', remotes, shared, runtimePlugins, manifest: false, dts: false };
/** Otherwise a host does not start while a remote's manifest cannot be had. */
const lazily = { ...options, shareStrategy: 'loaded-first' };

const JSC = { parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } };
const base = {
  mode: 'production',
  entry: './src/start.ts',
  output: { filename: 'start.js', publicPath: '/', crossOriginLoading: 'anonymous' },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  target: ['web', 'es2022'],
  performance: false,
};

/** Runs webpack or Rspack, whose configurations are the same. */
async function run(bundler, path, loader, plugins, output) {
  const rules = [{ test: /\.tsx?$/, loader, options: { jsc: { ...JSC, target: 'es2022' } } }];
  const config = { ...base, output: { ...base.output, ...output, path }, module: { rules }, plugins };
  await new Promise((resolve, reject) => {
    bundler(config, (error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve(),
    );
  });
}

const builders = {
  async webpack(path) {
    const script = { 'key-system': `key_system_container@${RELEASE}/remoteEntry.js` };
    const plugin = new webpack.container.ModuleFederationPlugin({ name: 'host', remotes: script, shared });
    // Otherwise a second import gives an empty module after a failure.
    await run(webpack, path, 'swc-loader', [plugin], { strictModuleExceptionHandling: true });
  },

  async 'webpack-enhanced'(path) {
    await run(webpack, path, 'swc-loader', [new WebpackFederation(lazily)]);
  },

  async rspack(path) {
    const integrity = new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] });
    await run(rspack, path, 'builtin:swc-loader', [new RspackFederation(lazily), integrity]);
  },

  async rsbuild(root) {
    const config = {
      source: { entry: { index: './src/start.ts' } },
      tools: { swc: { jsc: { transform: JSC.transform } } },
      output: { distPath: { root } },
      html: { template: './index.html', crossorigin: 'anonymous' },
      security: { sri: { enable: true } },
      plugins: [pluginModuleFederation(lazily)],
    };
    await (await createRsbuild({ config })).build();
  },

  async vite(outDir) {
    const remote = { type: 'global', name: 'key-system', entry: `${RELEASE}/mf-manifest.json` };
    await build({
      build: { outDir, target: 'es2022' },
      plugins: [federation({ ...options, remotes: { 'key-system': remote } })],
    });
  },
};

const [, , name = ''] = process.argv;
await builders[name](`${import.meta.dirname}/built/${name}`);
