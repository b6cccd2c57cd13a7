/** What the scripts of translations have said; the contracts declare it for all others. */
export interface Translated {
  translations?: { locale: string; texts?: { 'design-system'?: Readonly<Record<string, unknown>> } };
}

/**
 * The locale of the numbers of a translated page; undefined where the texts are the originals. It stands apart from the
 * texts, which are 0.5 KB for pages that need none of them.
 */
export function locale(): string | undefined {
  return (globalThis as Translated).translations?.locale;
}
