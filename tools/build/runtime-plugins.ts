import { rspack, type Compiler } from '@rspack/core';
import { CHUNK_TIMEOUT_MS } from '../../shared/contracts/src/unit.ts';

/** The longest that a browser's timer takes: the clock of the runtime itself, which the one below replaces, never ends. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Makes the runtime of a unit call `chunkElementCreated` with each script and stylesheet that it is about to load. The
 * shell handles retries and timeouts of all units there (shell/src/federation/chunk-elements.ts). The runtime alone
 * would request the same address again; while the first request hangs, the browser sends no second one.
 *
 * In every host a load ends after `CHUNK_TIMEOUT_MS`, counted while the page runs. The timer of the runtime would fall due
 * while the page is frozen, and fail what has arrived meanwhile.
 */
export function watchChunkElements(compiler: Compiler): void {
  compiler.options.output.chunkLoadTimeout = MAX_TIMER_MS;
  compiler.hooks.compilation.tap('chunk-elements', (compilation) => {
    const hooks = rspack.RuntimePlugin.getCompilationHooks(compilation);
    hooks.createScript.tap('chunk-elements', (code) => `${code}\n${watch('script')}`);
    hooks.createLink.tap('chunk-elements', (code) => `${code}\n${watch('link')}`);
  });
}

/** The runtime sets `onerror` after this, and takes it back when the load has ended. */
export function watch(element: string): string {
  return `
if (self.chunkElementCreated) self.chunkElementCreated(${element});
var left = ${CHUNK_TIMEOUT_MS / 1000}, clock = setInterval(() => {
  if (!${element}.onerror) clearInterval(clock);
  else if (!--left) ${element}.onerror({ type: "timeout", target: ${element} });
}, 1000);`;
}

/** What chooses between the versions of a shared package, in the runtime of a container. */
const VERSION_CHOICE_PATTERN = /var splitAndConvert = [^]*(?=var consumeSharedInstalledModules\b)/;

/** Takes the page's copy. The container's `init` has got the share scope by then. */
const SINGLETON_CODE = `var resolveHandler = function(data) { return function() {
	var versions = (__webpack_require__.S[data.shareScope] || {})[data.shareKey];
	if (!versions) throw new Error("Shared module " + data.shareKey + " doesn't exist in shared scope " + data.shareScope);
	var entry = Object.values(versions)[0];
	entry.loaded = 1;
	return entry.get();
} };
`;

/**
 * Leaves out of a container what chooses between the versions of a shared package: the page has one copy of each, which
 * any container takes (`FROM_THE_PAGE` in rspack.config.base.ts).
 */
export function shareSingletons(compiler: Compiler): void {
  compiler.hooks.compilation.tap('singletons', (compilation) => {
    compilation.hooks.runtimeModule.tap('singletons', ({ name, source }) => {
      if (name !== 'consumes_loading' || !source) return;
      source.source = Buffer.from(replaceChoice(source.source.toString('utf8')));
    });
  });
}

/** @throws Error when the runtime is written in another way, so that an update stops the build */
export function replaceChoice(runtime: string): string {
  if (!VERSION_CHOICE_PATTERN.test(runtime))
    throw new Error('The runtime chooses between shared versions in a way that is not known here');
  return runtime.replace(VERSION_CHOICE_PATTERN, () => SINGLETON_CODE);
}

/**
 * Keeps the version of a release out of its chunks, so that a chunk which has not changed has the same name in several
 * releases, and a returning visitor does not fetch it again. Only the entry, which has the runtime, knows the version:
 * it says with each script that it loads to which list the script belongs. So a page can still load two versions.
 * @param container the global name of the release's container
 */
export const versionFreeChunks = (container: string) => (compiler: Compiler) => {
  const name = 'version-free-chunks';
  compiler.hooks.thisCompilation.tap(name, (compilation) => {
    const { uniqueName = '', chunkLoadingGlobal = '' } = compiler.options.output;
    const list = `globalThis[${JSON.stringify(chunkLoadingGlobal)}]`;
    const ofRelease = JSON.stringify(`${container}_chunks`);

    const { createScript } = rspack.RuntimePlugin.getCompilationHooks(compilation);
    createScript.tap(name, (code) => `${code}\nscript.dataset.chunks = ${ofRelease};`);

    // Before files are made small, and their names get the hash of their content.
    const stage = rspack.Compilation.PROCESS_ASSETS_STAGE_PRE_PROCESS;
    compilation.hooks.processAssets.tap({ name, stage }, (assets) => {
      let hasEntry = false;
      for (const [file, source] of Object.entries(assets)) {
        const text = file.endsWith('.js') ? String(source.source()) : '';
        if (!text.includes(list)) continue;

        const isEntry = text.includes(`= ${list}`);
        hasEntry ||= isEntry;
        const written = isEntry
          ? text
              .replaceAll(list, `globalThis[${ofRelease}]`)
              // What the runtime knows its own elements by.
              .replaceAll(`= "${uniqueName}:"`, `= "${container}:"`)
              .replaceAll(`= "${uniqueName}"`, `= "${container}"`)
          : text.replaceAll(list, 'globalThis[document.currentScript.dataset.chunks]');
        const { RawSource, SourceMapSource } = rspack.sources;
        const map = compiler.options.devtool ? source.map() : null;
        // No line of a module changes, so the map stays right.
        compilation.updateAsset(file, map ? new SourceMapSource(written, file, map) : new RawSource(written));
      }
      // Otherwise two versions in a page would share their list.
      if (!hasEntry) throw new Error(`No file of the build begins the list ${list}: has its runtime changed?`);
    });
  });
};
