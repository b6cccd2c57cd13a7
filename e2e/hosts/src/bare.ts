import { HOST_API_VERSION } from '@app/contracts/unit';
import * as platform from '@app/platform';
import hashedPreloads from '@app/platform/hashed-preloads';
import { init, loadRemote, preloadRemote } from '@module-federation/enhanced/runtime';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import { startHost } from './host.tsx';

/** The same package for every unit of the page. */
const share = (lib: unknown, version: string) => ({
  version,
  lib: () => lib,
  shareConfig: { singleton: true, requiredVersion: `^${version}` },
});

init({
  name: 'host',
  plugins: [hashedPreloads()],
  remotes: [{ name: 'key-system', entry: 'https://site.example/releases/key-system/1.0.0/mf-manifest.json' }],
  shared: {
    react: share(react, react.version),
    'react/jsx-runtime': share(jsxRuntime, react.version),
    'react-dom': share(reactDom, reactDom.version),
    '@app/platform': share(platform, `${HOST_API_VERSION}.0`),
  },
});

await startHost({
  async load() {
    const remote = await loadRemote<{ default: platform.RemoteModule }>('key-system/remote');
    if (!remote) throw new Error('There is no such remote');
    return remote;
  },
  preload: () => preloadRemote([{ nameOrAlias: 'key-system', exposes: ['remote'], resourceCategory: 'all' }]),
});
