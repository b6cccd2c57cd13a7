import { createHash } from 'node:crypto';
import type { Compiler, RspackPluginInstance } from '@rspack/core';
import { PACKS_FOLDER } from '../../shared/contracts/src/packs.ts';
import { makePacks } from './make-packs.ts';

/**
 * Adds what units in repositories of their own install to the release of the shell. So a site gives packs that fit its
 * host API, under names that stand for one content, and keeps those of earlier releases.
 */
export class PacksPlugin implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    const { Compilation, sources } = compiler.rspack;
    compiler.hooks.thisCompilation.tap('PacksPlugin', (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tapPromise({ name: 'PacksPlugin', stage }, async () => {
        for (const { name, bytes } of await makePacks()) {
          const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
          compilation.emitAsset(`${PACKS_FOLDER}/${name}.${hash}.tgz`, new sources.RawSource(bytes));
        }
      });
    });
  }
}
