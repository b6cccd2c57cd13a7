import { COMPANION, GREEN_VARIANT_WORD, PRODUCT, TEAM_PREFIX } from './brand.ts';

/**
 * The titles that the product specification gives, in its order. The first rule with a word in the address applies. A
 * rule goes before the title of the page's line in `routes.ts`.
 */
const TITLE_RULES: readonly { words: readonly string[]; label: string }[] = [
  { words: [PRODUCT.slug, 'index', 'windows', 'android', 'ios'], label: PRODUCT.label },
  { words: [COMPANION.slug], label: COMPANION.label },
  { words: ['privacy-policy'], label: 'Privacy & Policy' },
  { words: ['plans'], label: 'Upgrade plan' },
];

/**
 * The document title of an address.
 * @param pathAndQuery path with its query; without host and hash
 * @param label the title in the page's line of `routes.ts`; used when no rule of the specification applies
 */
export function titleOf(pathAndQuery: string, label = ''): string {
  const rule = TITLE_RULES.find(({ words }) => words.some((word) => pathAndQuery.includes(word)));
  const shown = rule?.label ?? label;
  return shown ? `${TEAM_PREFIX} | ${shown}` : TEAM_PREFIX;
}

export type Theme = 'companion' | 'info' | 'dark';
export type Accent = 'green' | 'red' | 'blue';

/** The values of `data-theme` and `data-accent` for an address. The design tokens depend on them. */
export function themeFor(pathAndQuery: string): { theme: Theme; accent: Accent } {
  const isIndex = pathAndQuery.includes('index');

  return {
    theme: pathAndQuery.includes(COMPANION.slug) ? 'companion' : isIndex ? 'dark' : 'info',
    accent: pathAndQuery.includes(GREEN_VARIANT_WORD) ? 'green' : isIndex ? 'blue' : 'red',
  };
}
