/**
 * Removes from a package what keeps code in the bundle that the site never runs. When an update of the package leaves
 * nothing to cut, the budgets of the pages notice it.
 * @this {import('@rspack/core').LoaderContext<{ cuts: readonly (readonly [pattern: RegExp | string, replacement: string])[] }>}
 * @param {string} source
 */
export default function trimLoader(source) {
  return this.getOptions().cuts.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), source);
}
