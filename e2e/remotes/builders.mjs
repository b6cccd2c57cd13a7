import { readFileSync } from 'node:fs';

/**
 * `BUILDER=vite node builders.mjs` builds the unit with one builder into `dist`, as docs/teams.md says it. Each is imported
 * where it is used, because only Rspack is there without an installation.
 */
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** A page may have two versions of the unit, so each has a name of its own. */
const container = `${name}__${process.env.RELEASE_VERSION ?? version}`.replaceAll(/\W/g, '_');

/** The page has it. */
const ofPage = { singleton: true, import: false, requiredVersion: false };
const options = {
  name: container,
  filename: 'remoteEntry.js',
  exposes: { './remote': './src/remote.js' },
  shared: { react: ofPage, 'react/jsx-runtime': ofPage, 'react-dom': ofPage, '@app/platform': ofPage },
};

/** What webpack and Rspack have in common. */
const base = {
  mode: 'production',
  entry: {},
  output: { clean: true, publicPath: 'auto', uniqueName: container, crossOriginLoading: 'anonymous' },
  resolve: { extensions: ['.js', '.jsx'] },
};

function run(bundler, config) {
  return new Promise((resolve, reject) => {
    bundler(config, (error, stats) =>
      error || stats.hasErrors() ? reject(new Error(stats?.toString(), { cause: error })) : resolve(),
    );
  });
}

async function runWebpack(plugin) {
  const { default: webpack } = await import('webpack');
  const { default: MiniCssExtractPlugin } = await import('mini-css-extract-plugin');
  const rules = [
    { test: /\.jsx$/, loader: 'esbuild-loader', options: { jsx: 'automatic' } },
    { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
  ];
  await run(webpack, { ...base, module: { rules }, plugins: [new MiniCssExtractPlugin(), plugin(webpack)] });
}

const builders = {
  async webpack() {
    const { ModuleFederationPlugin } = await import('@module-federation/enhanced/webpack');
    await runWebpack(() => new ModuleFederationPlugin({ ...options, dts: false }));
  },

  async 'webpack-own'() {
    await runWebpack((webpack) => new webpack.container.ModuleFederationPlugin(options));
  },

  async rspack() {
    const { rspack } = await import('@rspack/core');
    const jsc = { parser: { syntax: 'ecmascript', jsx: true }, transform: { react: { runtime: 'automatic' } } };
    const rules = [
      { test: /\.jsx$/, loader: 'builtin:swc-loader', options: { jsc } },
      { test: /\.css$/, type: 'css/auto' },
    ];
    const plugin = new rspack.container.ModuleFederationPlugin({ ...options, manifest: true });
    await run(rspack, { ...base, module: { rules }, plugins: [plugin] });
  },

  async rsbuild() {
    const { createRsbuild } = await import('@rsbuild/core');
    const { pluginReact } = await import('@rsbuild/plugin-react');
    const { pluginModuleFederation } = await import('@module-federation/rsbuild-plugin');
    const config = {
      source: { entry: { index: './src/remote.js' } },
      output: { assetPrefix: 'auto' },
      tools: { rspack: { output: { uniqueName: container } } },
      plugins: [pluginReact(), pluginModuleFederation({ ...options, dts: false })],
    };
    await (await createRsbuild({ config })).build();
  },

  async vite() {
    const { build } = await import('vite');
    const { default: react } = await import('@vitejs/plugin-react');
    const { federation } = await import('@module-federation/vite');
    const plugin = federation({ ...options, varFilename: 'remoteEntry.var.js', manifest: true, dts: false });
    await build({ build: { rolldownOptions: { input: 'src/remote.js' } }, plugins: [react(), plugin] });
  },
};

await builders[process.env.BUILDER]();
