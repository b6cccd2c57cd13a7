import { COMPANION, GREEN_VARIANT_WORD, PRODUCT, TEAM_PREFIX } from './brand.ts';

/** First match wins, in the order of the product specification. */
const TITLE_RULES: readonly { words: readonly string[]; label: string }[] = [
  { words: [PRODUCT.slug, 'index', 'windows', 'android', 'ios'], label: PRODUCT.label },
  { words: [COMPANION.slug], label: COMPANION.label },
  { words: ['privacy-policy'], label: 'Privacy & Policy' },
  { words: ['plans'], label: 'Upgrade plan' },
];

/**
 * The document title of an address.
 * @param pathAndQuery path with its query; never the host or the hash
 */
export function titleOf(pathAndQuery: string): string {
  const rule = TITLE_RULES.find(({ words }) => words.some((word) => pathAndQuery.includes(word)));
  return rule ? `${TEAM_PREFIX} | ${rule.label}` : TEAM_PREFIX;
}

export type Theme = 'companion' | 'info' | 'dark';
export type Accent = 'green' | 'red' | 'blue';

/** Which tokens `data-theme` and `data-accent` switch for an address. */
export function looksOf(pathAndQuery: string): { theme: Theme; accent: Accent } {
  const isIndex = pathAndQuery.includes('index');

  return {
    theme: pathAndQuery.includes(COMPANION.slug) ? 'companion' : isIndex ? 'dark' : 'info',
    accent: pathAndQuery.includes(GREEN_VARIANT_WORD) ? 'green' : isIndex ? 'blue' : 'red',
  };
}
