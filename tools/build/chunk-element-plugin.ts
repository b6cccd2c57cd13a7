import { rspack, type Compiler, type RspackPluginInstance } from '@rspack/core';
import { CHUNK_TIMEOUT_MS } from '../../shared/contracts/src/unit.ts';

/** The longest that a browser's timer takes: the clock of the runtime itself, which the one below replaces, never ends. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Makes the runtime of a unit call `chunkElementCreated` with each script and stylesheet that it is about to load. The
 * shell handles retries and timeouts of all units there (shell/src/federation/chunk-elements.ts). The runtime alone
 * would request the same address again; while the first request hangs, the browser sends no second one.
 *
 * In every host a load ends after `CHUNK_TIMEOUT_MS`, counted while the page runs. The timer of the runtime would fall due
 * while the page is frozen, and fail what has arrived meanwhile.
 */
export class ChunkElementPlugin implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    compiler.options.output.chunkLoadTimeout = NEVER_MS;
    compiler.hooks.compilation.tap('ChunkElementPlugin', (compilation) => {
      const hooks = rspack.RuntimePlugin.getCompilationHooks(compilation);
      hooks.createScript.tap('ChunkElementPlugin', (code) => `${code}\n${watch('script')}`);
      hooks.createLink.tap('ChunkElementPlugin', (code) => `${code}\n${watch('link')}`);
    });
  }
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
