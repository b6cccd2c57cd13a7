import { COMPANION, GREEN_VARIANT_WORD, PRODUCT, TEAM_PREFIX } from './brand.ts';

/** First match wins, in the order of the product specification, and before what a page's own line says. */
const TITLE_RULES: readonly { words: readonly string[]; label: string }[] = [
  { words: [PRODUCT.slug, 'index', 'windows', 'android', 'ios'], label: PRODUCT.label },
  { words: [COMPANION.slug], label: COMPANION.label },
  { words: ['privacy-policy'], label: 'Privacy & Policy' },
  { words: ['plans'], label: 'Upgrade plan' },
];

/**
 * The document title of an address.
 * @param pathAndQuery path with its query; never the host or the hash
 * @param label what the page's line says, which counts where the words of the specification do not
 */
export function titleOf(pathAndQuery: string, label = ''): string {
  const rule = TITLE_RULES.find(({ words }) => words.some((word) => pathAndQuery.includes(word)));
  const shown = rule?.label ?? label;
  return shown ? `${TEAM_PREFIX} | ${shown}` : TEAM_PREFIX;
}

export type Theme = 'companion' | 'info' | 'dark';
export type Accent = 'green' | 'red' | 'blue';

/** The values of `data-theme` and `data-accent` for an address; the design tokens depend on them. */
export function themeFor(pathAndQuery: string): { theme: Theme; accent: Accent } {
  const isIndex = pathAndQuery.includes('index');

  return {
    theme: pathAndQuery.includes(COMPANION.slug) ? 'companion' : isIndex ? 'dark' : 'info',
    accent: pathAndQuery.includes(GREEN_VARIANT_WORD) ? 'green' : isIndex ? 'blue' : 'red',
  };
}
