import { HOST_API_VERSION, SHELL } from '@app/contracts/unit';
import type { ModuleFederation } from '@module-federation/enhanced/runtime';
import * as platform from '@app/platform';
// By their default exports: a namespace of a CommonJS package costs a getter for each of its names.
import react from 'react';
import jsxRuntime from 'react/jsx-runtime';
import reactDom from 'react-dom';
import * as zustand from 'zustand';
import { version as zustandVersion } from 'zustand/package.json';
import { refuseUnknownNames } from './host-api-error.ts';

/** In the shell's first file alone. `SHARED_PACKAGES` in rspack.config.base.ts has to list the same names. */
export const sharedPackages = Object.fromEntries([
  share('react', react, react.version),
  share('react/jsx-runtime', jsxRuntime, react.version),
  share('react-dom', reactDom, reactDom.version),
  share('zustand', zustand, zustandVersion),
  share('@app/platform', platform, `${HOST_API_VERSION}.0`),
]);

type ShareScope = Parameters<ModuleFederation['initShareScopeMap']>[1];

/** The shared packages in the form that the containers of remotes read: name → version → what gives the package. */
export function createShareScope(): ShareScope {
  return Object.fromEntries(
    Object.entries(sharedPackages).map(([name, { version, lib }]) => [
      name,
      {
        [version]: {
          version,
          from: SHELL,
          lib,
          get: () => lib,
          loaded: true,
          eager: true,
          deps: [],
          useIn: [],
          scope: ['default'],
          strategy: 'loaded-first',
          shareConfig: { singleton: true, requiredVersion: `^${version}` },
        },
      },
    ]),
  );
}

function share(name: string, exported: object, version: string) {
  const lib = refuseUnknownNames(name, exported);
  return [name, { version, lib: () => lib }] as const;
}
