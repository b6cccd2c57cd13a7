import { rspack, type Compiler, type RspackPluginInstance } from '@rspack/core';

/**
 * Shows the page each script and stylesheet that a unit's runtime is about to load, so that the shell
 * can hold one policy for all of them (shell/src/federation/chunk-elements.ts). The runtime itself
 * would ask for the same address again, which after a hang sends nothing.
 */
export class ChunkElementPlugin implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    compiler.hooks.compilation.tap('ChunkElementPlugin', (compilation) => {
      const hooks = rspack.RuntimePlugin.getCompilationHooks(compilation);
      hooks.createScript.tap('ChunkElementPlugin', (code) => `${code}\n${tell('script')}`);
      hooks.createLink.tap('ChunkElementPlugin', (code) => `${code}\n${tell('link')}`);
    });
  }
}

function tell(element: string): string {
  return `if (self.chunkElementCreated) self.chunkElementCreated(${element});`;
}
