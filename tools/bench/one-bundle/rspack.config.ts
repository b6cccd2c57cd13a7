import { fileURLToPath } from 'node:url';
import { rspack, type Configuration } from '@rspack/core';
import { defineShell } from '../../../rspack.config.base.ts';

const shell = defineShell({}).at(-1) ?? {};
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the sources of all units as one bundle without federation. `npm run bench` compares the units with it. */
const config: Configuration = {
  ...shell,
  dependencies: [],
  resolve: {
    ...shell.resolve,
    alias: { ...shell.resolve?.alias, '@module-federation/enhanced/runtime': here('./federation.ts') },
  },
  output: {
    ...shell.output,
    clean: true,
    path: here('../../../dist/.one-bundle'),
    publicPath: '/one-bundle/',
    uniqueName: 'one_bundle',
  },
  module: {
    ...shell.module,
    rules: [
      ...(shell.module?.rules ?? []),
      // Pages are part of the bundle. Code that loads after the first paint (captcha, toasts) stays in its own chunks.
      { test: /remotes\/[^/]+\/src\/remote\.ts$/, parser: { dynamicImportMode: 'eager' } },
    ],
  },
  plugins: [new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] })],
};

export default config;
