import { CONTRACT_VERSION } from '@app/contracts/release';
import * as platform from '@app/platform';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as zustand from 'zustand';
import { version as zustandVersion } from 'zustand/package.json';
import { refuseUnknownNames } from './contract-error.ts';

/**
 * The packages that all units of a page share. The shell's first file contains them; the remotes contain no copy.
 * `SHARED_PACKAGES` in rspack.config.base.ts has to list the same names.
 */
export const sharedPackages = Object.fromEntries([
  share('react', react, react.version),
  share('react/jsx-runtime', jsxRuntime, react.version),
  share('react-dom', reactDom, reactDom.version),
  share('zustand', zustand, zustandVersion),
  share('@app/platform', platform, `${CONTRACT_VERSION}.0`),
]);

function share(name: string, exported: object, version: string) {
  const lib = refuseUnknownNames(name, exported);
  return [name, { version, lib: () => lib, shareConfig: { singleton: true, requiredVersion: `^${version}` } }] as const;
}
