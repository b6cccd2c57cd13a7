import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rspack } from '@rspack/core';
import { expect, onTestFinished, test } from 'vitest';
import { OLDEST_BROWSERS_QUERY } from '../../shared/contracts/src/oldest-browsers.ts';
import { VersionFreeChunksPlugin } from './version-free-chunks-plugin.ts';

/** Builds a page as a version of a unit. Returns what reads its files. */
async function build(page: string, version = '1_0_0') {
  const folder = mkdtempSync(join(tmpdir(), 'version-free-chunks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'source.js'), 'export const late = 1;');
  writeFileSync(join(folder, 'page.js'), page);

  await new Promise<void>((resolve, reject) => {
    rspack(
      {
        mode: 'production',
        target: `browserslist:${OLDEST_BROWSERS_QUERY.join(', ')}`,
        context: folder,
        entry: { page: './page.js' },
        output: {
          path: folder,
          filename: 'entry.js',
          chunkFilename: '[name].js',
          uniqueName: 'tools',
          chunkLoadingGlobal: 'tools_chunks',
        },
        plugins: [new VersionFreeChunksPlugin(`tools__${version}`)],
      },
      (error, stats) => (error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve()),
    );
  });
  return (name: string) => readFileSync(join(folder, name), 'utf8');
}

const WITH_CHUNK = 'import(/* webpackChunkName: "late" */ "./source.js").then(console.log);';

test('two versions of a unit have the same chunk, and each puts it into a list of its own', async () => {
  const [first, second] = [await build(WITH_CHUNK, '1_0_0'), await build(WITH_CHUNK, '1_0_1')];

  expect(first('late.js')).toBe(second('late.js'));
  expect(first('late.js')).toContain('globalThis[document.currentScript.dataset.chunks]');
  expect(first('entry.js')).toContain('tools__1_0_0_chunks');
  expect(second('entry.js')).toContain('tools__1_0_1_chunks');
  expect(first('entry.js') + second('entry.js')).not.toContain('tools_chunks');
});

test('a build whose runtime begins no list of chunks fails: two versions in a page could share theirs', async () => {
  await expect(build('console.log("a page");')).rejects.toThrow('No file of the build begins the list');
});
