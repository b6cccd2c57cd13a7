import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { serve } from '@app/testing/visit';
import { startFederation } from '../../federation/load-entry.ts';
import { openPage, PROBLEM } from '../../test/qa-page.ts';
import { showToDevtools } from './show-to-devtools.ts';

let closePage: () => void;
beforeEach(() => void (closePage = openPage()));
afterEach(() => closePage());

/** The manifest of the key system in the page, as its release has it. */
const MANIFEST = {
  id: 'key-system',
  name: 'key-system',
  metaData: {
    name: 'key-system',
    type: 'app',
    buildInfo: { buildVersion: '1.4.0', buildName: '@app/key-system' },
    remoteEntry: { name: 'remoteEntry.0123abcd.js', path: '', type: 'global' },
    types: { path: '', name: '', zip: '', api: '' },
    globalName: 'key_system__1_4_0',
    publicPath: 'auto',
  },
  shared: [],
  remotes: [],
  exposes: [
    {
      id: 'key-system:remote',
      name: 'remote',
      path: './remote',
      assets: { js: { sync: [], async: [] }, css: { sync: [], async: [] } },
    },
  ],
};

test('federation devtools see every release of the page, with its manifest if there is one', async () => {
  serve({
    [`${location.origin}/releases/key-system/1.4.0/mf-manifest.json`]: () => Response.json(MANIFEST),
    [`${location.origin}/releases/tools/3.1.0/mf-manifest.json`]: () => Response.json(PROBLEM, { status: 404 }),
  });
  startFederation();
  onTestFinished(() => void (globalThis.__FEDERATION__.moduleInfo = {}));

  await showToDevtools();

  const { moduleInfo, __SHARE__: share } = globalThis.__FEDERATION__;
  expect(moduleInfo).toEqual({
    shell: expect.objectContaining({
      version: '2.0.0',
      remotesInfo: { 'key-system': { matchedVersion: '1.4.0' }, tools: { matchedVersion: '3.1.0' } },
    }) as unknown,
    'key-system:1.4.0': expect.objectContaining({
      version: '1.4.0',
      globalName: 'key_system__1_4_0',
      publicPath: `${location.origin}/releases/key-system/1.4.0/`,
      modules: [expect.objectContaining({ moduleName: 'remote' })],
    }) as unknown,
    'tools:3.1.0': { version: '3.1.0', remoteEntry: '' },
  });
  expect(Object.keys(share['shell']?.['default'] ?? {})).toContain('@app/platform');
});
