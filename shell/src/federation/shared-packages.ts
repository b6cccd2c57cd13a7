import { CONTRACT_VERSION } from '@app/contracts/release';
import * as platform from '@app/platform';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as zustand from 'zustand';
import { version as zustandVersion } from 'zustand/package.json';

/**
 * One copy of each in a page: the shell brings them, in its first file, and remotes only ask for them
 * (`SHARED_PACKAGES` in rspack.config.base.ts names the same).
 */
export const sharedPackages = {
  react: share(react, react.version),
  'react/jsx-runtime': share(jsxRuntime, react.version),
  'react-dom': share(reactDom, reactDom.version),
  zustand: share(zustand, zustandVersion),
  '@app/platform': share(platform, `${CONTRACT_VERSION}.0`),
};

function share(lib: object, version: string) {
  return { version, lib: () => lib, shareConfig: { singleton: true, requiredVersion: `^${version}` } };
}
