import { rspack, type Compiler, type RspackPluginInstance } from '@rspack/core';

/** In which list a script puts what it contains: that of the runtime which asked for it. */
const OF_THE_ASKING = 'document.currentScript.dataset.chunks';

/**
 * Keeps the version of a release out of its chunks, so that a chunk which has not changed has the same name in several
 * releases, and a returning visitor does not fetch it again. Only the entry, which has the runtime, knows the version:
 * it says with each script that it loads to which list the script belongs. So a page can still load two versions.
 */
export class VersionFreeChunksPlugin implements RspackPluginInstance {
  readonly #container: string;

  /** @param container the global name of the release's container */
  constructor(container: string) {
    this.#container = container;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('VersionFreeChunksPlugin', (compilation) => {
      const { uniqueName = '', chunkLoadingGlobal = '' } = compiler.options.output;
      const list = `globalThis[${JSON.stringify(chunkLoadingGlobal)}]`;
      const ofRelease = JSON.stringify(`${this.#container}_chunks`);

      const { createScript } = rspack.RuntimePlugin.getCompilationHooks(compilation);
      createScript.tap('VersionFreeChunksPlugin', (code) => `${code}\nscript.dataset.chunks = ${ofRelease};`);

      // Before files are made small, and their names get the hash of their content.
      const stage = rspack.Compilation.PROCESS_ASSETS_STAGE_PRE_PROCESS;
      compilation.hooks.processAssets.tap({ name: 'VersionFreeChunksPlugin', stage }, (assets) => {
        let hasEntry = false;
        for (const [name, source] of Object.entries(assets)) {
          const text = name.endsWith('.js') ? String(source.source()) : '';
          if (!text.includes(list)) continue;

          const isEntry = text.includes(`= ${list}`);
          hasEntry ||= isEntry;
          const written = isEntry
            ? text
                .replaceAll(list, `globalThis[${ofRelease}]`)
                // What the runtime knows its own elements by.
                .replaceAll(`= "${uniqueName}:"`, `= "${this.#container}:"`)
                .replaceAll(`= "${uniqueName}"`, `= "${this.#container}"`)
            : text.replaceAll(list, `globalThis[${OF_THE_ASKING}]`);
          const { RawSource, SourceMapSource } = rspack.sources;
          const map = compiler.options.devtool ? source.map() : null;
          // No line of a module changes, so the map stays right.
          compilation.updateAsset(name, map ? new SourceMapSource(written, name, map) : new RawSource(written));
        }
        // Otherwise two versions in a page would share their list.
        if (!hasEntry) throw new Error(`No file of the build begins the list ${list}: has its runtime changed?`);
      });
    });
  }
}
