import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { common } from './common-config.ts';
import federationPartsLoader, { FEDERATION_PARTS } from './federation-parts-loader.ts';

const CORE = 'node_modules/@module-federation/runtime-core/dist/';

function load(file: string, source = readFileSync(join(import.meta.dirname, '../..', CORE, file), 'utf8')): string {
  return federationPartsLoader.call({ resourcePath: `/site/${CORE}${file}` }, source);
}

test('what no page uses is gone, and what is left exports the same names', () => {
  const remote = load('remote/index.js');
  expect(remote).not.toMatch(/preloadRemote\(preloadOptions\)|removeRemote\(remote\) \{/);
  expect(remote).toMatch(/registerRemotes\(remotes, options\)[^]*\};\n\n\/\/#endregion\nexport \{/);

  expect(load('utils/load.js')).not.toContain('return loadEsmEntry(');
  expect(load('plugins/snapshot/SnapshotHandler.js')).toMatch(
    /^import \{ Disabled[^]*export \{ SnapshotHandler, getGlobalRemoteInfo \}/,
  );
});

test('a runtime without the known parts stops the build', () => {
  expect(() => load('remote/index.js', 'class RemoteHandler {}')).toThrow('has no "async preloadRemote("');
});

test('the build gives the loader its files, and no others', () => {
  const rule = common('shell').module.rules.find((it) => 'test' in it && it.test === FEDERATION_PARTS);
  expect(rule).toBeDefined();
  expect(FEDERATION_PARTS.some((file) => file.test(`/site/${CORE}remote/index.js`))).toBe(true);
  expect(FEDERATION_PARTS.some((file) => file.test(`/site/${CORE}core.js`))).toBe(false);
});
