/** What our shell sets for the whole document, only for the element of a page in another host. */
const CONFINING_SELECTOR = '[data-site-styles]';
const LAYER_PATTERN = /^@layer (\w+) \{$([^]*)^\}$/gm;
/** The shell has the fonts; what is imported would not be confined. */
const IMPORT_PATTERN = /^@import [^;]+;$/gm;

/**
 * Confines a stylesheet of the document to one element: its rules for the root and the body become the element's, all
 * others choose what is in it.
 * @throws Error when the rules are not in one layer, beginning and ending at the start of a line
 */
export default function confinedStylesLoader(source: string): string {
  const css = source.replaceAll(IMPORT_PATTERN, '').replaceAll(LAYER_PATTERN, (_rule, layer: string, rules: string) => {
    const own = rules
      .replaceAll(/:root|\bbody(?= \{)/g, '&')
      .replaceAll(/(\[data-(?:theme|accent)=[^\]]+\]) \{/g, '&$1, $1 {');
    return `@layer ${layer} { ${CONFINING_SELECTOR} {${own}} }`;
  });
  if (!css.includes(CONFINING_SELECTOR)) throw new Error('A stylesheet to confine has its rules in one layer');
  return css;
}
