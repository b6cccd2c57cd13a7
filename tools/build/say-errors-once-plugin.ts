import type { Compiler, RspackPluginInstance } from '@rspack/core';

/**
 * The two builds of a unit meet the same errors in its sources. One instance is in both: what the first has said, the
 * second does not repeat.
 */
export class SayErrorsOncePlugin implements RspackPluginInstance {
  #said = '';

  apply(compiler: Compiler): void {
    compiler.hooks.done.tap('SayErrorsOncePlugin', (stats) => {
      if (!stats.hasErrors()) return;

      const { errors = [] } = stats.toJson({ all: false, errors: true });
      const found = errors.map(({ message }) => message).join('\n');
      // The command reads it when both builds have ended.
      if (found === this.#said) compiler.options.stats = 'none';
      this.#said = found;
    });
  }
}
