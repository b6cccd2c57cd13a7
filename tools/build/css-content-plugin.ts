import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Compiler, RspackPluginInstance } from '@rspack/core';

const MODULE = /\.module\.css$/;

/**
 * Names the classes of a CSS module by its content, too. A page that falls back to another release of a unit has the
 * stylesheets of both: what they share is the same, and what differs has other names.
 */
export class CssContentPlugin implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    compiler.hooks.normalModuleFactory.tap('CssContentPlugin', (factory) => {
      factory.hooks.afterResolve.tap('CssContentPlugin', ({ createData }) => {
        const resource = createData?.resource;
        if (!createData || !resource || !MODULE.test(resource)) return;
        const hash = createHash('sha256').update(readFileSync(resource)).digest('hex').slice(0, 8);
        createData.resource = `${resource}?${hash}`;
      });
    });
  }
}
