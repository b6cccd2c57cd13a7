import type { Compiler, RspackPluginInstance } from '@rspack/core';

/** What chooses between the versions of a shared package, in the runtime of a container. */
const CHOICE = /var splitAndConvert = [^]*(?=var consumeSharedInstalledModules\b)/;

/** Takes the page's copy. The container's `init` has got the share scope by then. */
const THE_ONE_COPY = `var resolveHandler = function(data) { return function() {
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
export class OneCopyPlugin implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    compiler.hooks.compilation.tap('OneCopyPlugin', (compilation) => {
      compilation.hooks.runtimeModule.tap('OneCopyPlugin', ({ name, source }) => {
        if (name !== 'consumes_loading' || !source) return;
        source.source = Buffer.from(takeTheOneCopy(source.source.toString('utf8')));
      });
    });
  }
}

/** @throws Error when the runtime is written in another way, so that an update stops the build */
export function takeTheOneCopy(runtime: string): string {
  if (!CHOICE.test(runtime))
    throw new Error('The runtime chooses between shared versions in a way that is not known here');
  return runtime.replace(CHOICE, () => THE_ONE_COPY);
}
