import { rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Compiler, RspackPluginInstance } from '@rspack/core';

/**
 * Lets programs in `dist` find the packages that their workspace declares. npm puts a package into the workspace's own
 * node_modules where another version stands in the root's; from `dist` Node would find that other version.
 */
export class OwnPackagesPlugin implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    compiler.hooks.afterEmit.tap('OwnPackagesPlugin', () => {
      const link = join(compiler.outputPath, 'node_modules');
      rmSync(link, { force: true });
      symlinkSync(relative(compiler.outputPath, join(compiler.context, 'node_modules')), link);
    });
  }
}
