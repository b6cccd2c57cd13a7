import { rspack, type Compiler, type RspackPluginInstance } from '@rspack/core';

/**
 * Makes the runtime of a unit call `chunkElementCreated` with each script and stylesheet that it is about to load. The
 * shell handles retries and timeouts of all units there (shell/src/federation/chunk-elements.ts). The runtime alone
 * would request the same address again; while the first request hangs, the browser sends no second one.
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
