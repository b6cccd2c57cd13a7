import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { rspack } from '@rspack/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OLDEST_BROWSERS_QUERY } from '../../shared/contracts/src/oldest-browsers.ts';
import { replaceChoice, versionFreeChunks, watch, watchChunkElements } from './runtime-plugins.ts';

interface Watched {
  /** What the runtime sets for as long as it waits. */
  onerror: ((event: object) => void) | null;
}

/** Runs what the runtime of a unit runs of each element in a host, and what it does next. */
function load(self: object = {}) {
  const script: Watched = { onerror: null };
  const clock = { second: (): void => undefined, isStopped: false };
  runInNewContext(watch('script'), {
    script,
    self,
    setInterval: (second: () => void, ms: number) => (ms === 1000 ? (clock.second = second) : undefined),
    clearInterval: () => (clock.isStopped = true),
  });
  const failed = vi.fn();
  script.onerror = failed;
  return { script, failed, clock };
}

test('in every host a chunk that does not answer fails after 120 seconds, as a time-out', () => {
  const { script, failed, clock } = load();
  for (let seconds = 1; seconds < 120; seconds++) clock.second();
  expect(failed).not.toHaveBeenCalled();

  clock.second();
  expect(failed.mock.calls).toEqual([[{ type: 'timeout', target: script }]]);
});

test('a chunk that has arrived while the page was frozen does not fail, however long that was', () => {
  const { script, failed, clock } = load();
  // Of all the times that a timer fell due in a frozen page, one is left.
  clock.second();
  script.onerror = null;
  clock.second();

  expect(failed).not.toHaveBeenCalled();
  expect(clock.isStopped).toBe(true);
});

test('the shell is told of each element before it is requested', () => {
  const chunkElementCreated = vi.fn();
  const { script } = load({ chunkElementCreated });

  expect(chunkElementCreated.mock.calls).toEqual([[script]]);
});

test('the timer of the runtime itself never ends: it would fall due while the page is frozen', () => {
  const { options } = rspack({ plugins: [watchChunkElements] });

  expect(options.output.chunkLoadTimeout).toBe(2 ** 31 - 1);
});

/** Takes a package out of a share scope, as the runtime of a container does. */
function take(name: string, scopes: object): unknown {
  const runtime = 'var splitAndConvert = 1; var satisfy = 2;\nvar consumeSharedInstalledModules = {};\n';
  const code = `${replaceChoice(runtime)} resolveHandler({ shareScope: 'default', shareKey: name })();`;
  return runInNewContext(code, { __webpack_require__: { S: scopes }, name });
}

test('a container takes the copy of the page, whatever its version', () => {
  const react = { loaded: 0, get: () => 'the copy' };
  expect(take('react', { default: { react: { '19.9.0-canary': react } } })).toBe('the copy');
  expect(react.loaded).toBe(1);
});

test('a package that the page does not have is named', () => {
  for (const scopes of [{}, { default: {} }])
    expect(() => take('zustand', scopes)).toThrow("Shared module zustand doesn't exist in shared scope default");
});

test('a runtime that chooses between versions in another way stops the build', () => {
  expect(() => replaceChoice('var pickVersion = 1;')).toThrow('is not known here');
});

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
        plugins: [versionFreeChunks(`tools__${version}`)],
      },
      (error, stats) => (error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve()),
    );
  });
  return (name: string) => readFileSync(join(folder, name), 'utf8');
}

test('two versions of a unit have the same chunk, and each puts it into a list of its own', async () => {
  const page = 'import(/* webpackChunkName: "late" */ "./source.js").then(console.log);';
  const [first, second] = [await build(page, '1_0_0'), await build(page, '1_0_1')];

  expect(first('late.js')).toBe(second('late.js'));
  expect(first('late.js')).toContain('globalThis[document.currentScript.dataset.chunks]');
  expect(first('entry.js')).toContain('tools__1_0_0_chunks');
  expect(second('entry.js')).toContain('tools__1_0_1_chunks');
  expect(first('entry.js') + second('entry.js')).not.toContain('tools_chunks');
});

test('a build whose runtime begins no list of chunks fails: two versions in a page could share theirs', async () => {
  await expect(build('console.log("a page");')).rejects.toThrow('No file of the build begins the list');
});
