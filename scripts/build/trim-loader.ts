import type { LoaderContext } from '@rspack/core';

type Cuts = readonly (readonly [pattern: RegExp | string, replacement: string])[];

/**
 * Removes from a package what keeps code in the bundle that the site never runs. When an update of the package leaves
 * nothing to cut, the budgets of the pages notice it.
 */
export default function trimLoader(this: LoaderContext<{ cuts: Cuts }>, source: string): string {
  return this.getOptions().cuts.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), source);
}
