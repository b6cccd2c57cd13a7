import { CONTRACT_VERSION } from '@app/contracts/release';
import * as platform from '@app/platform';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as zustand from 'zustand';
import { version as zustandVersion } from 'zustand/package.json';

/**
 * The packages that all units of a page share. The shell's first file contains them; the remotes contain no copy.
 * `SHARED_PACKAGES` in rspack.config.base.ts has to list the same names.
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
