import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rspack, type RspackPluginInstance } from '@rspack/core';
import { expect, onTestFinished, test } from 'vitest';
import { releaseJson } from './release-plugin.ts';

/** Finds a mistake that changes no file, such as one of types. */
const mistake: RspackPluginInstance = {
  apply: (compiler) =>
    compiler.hooks.thisCompilation.tap(
      'mistake',
      (compilation) => void compilation.errors.push(new Error('A mistake')),
    ),
};

test('a build with a mistake leaves the release as it was, and one that works removes what was there before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'page.js'), 'console.log("a page");');
  const out = join(folder, 'out');
  const commitOf = () => (JSON.parse(readFileSync(join(out, 'release.json'), 'utf8')) as { commit: string }).commit;

  const build = (commit: string, plugins: RspackPluginInstance[]) =>
    new Promise<string>((resolve, reject) => {
      const unit = {
        unit: 'tools',
        version: '1.0.0',
        commit,
        globalName: 'tools__1_0_0',
        sharedPackages: [],
        routes: {},
      };
      rspack(
        {
          mode: 'production',
          context: folder,
          entry: { remote: './page.js', remoteEntry: './page.js' },
          output: { path: out, filename: '[name].js' },
          plugins: [...plugins, releaseJson(unit)],
        },
        (error, stats) => (error ? reject(error) : resolve(stats?.hasErrors() ? 'failed' : 'built')),
      );
    });

  expect([await build('first', []), commitOf()]).toEqual(['built', 'first']);
  expect([await build('second', [mistake]), commitOf()]).toEqual(['failed', 'first']);
  writeFileSync(join(out, 'earlier.js'), '');
  expect([await build('third', []), commitOf()]).toEqual(['built', 'third']);
  expect(readdirSync(out).sort()).toEqual(['release.json', 'remote.js', 'remoteEntry.js']);
});
