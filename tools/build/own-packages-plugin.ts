import { rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Compiler, RspackPluginInstance } from '@rspack/core';

/**
 * Lets programs in `dist` find the packages of their workspace. When the root has another version of a package, npm
 * installs the workspace's version in the workspace's own node_modules. From `dist`, Node would find the root's
 * version, so the plugin links the workspace's node_modules there.
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
