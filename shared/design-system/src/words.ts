import en from './messages/en.json';

/** A compiled message: texts, and the names of placeholders between them. */
type Message = readonly (string | readonly [name: string])[];

/** What the scripts of translations have said; the contracts declare it for all others. */
interface Translated {
  translations?: { locale: string; texts?: { 'design-system'?: Readonly<Record<string, unknown>> } };
}

/**
 * The text of a message of the design system, with its placeholders filled in: translated, or else the original. It
 * supports no plurals, so that units need no message formatter for it.
 */
export function t(id: keyof typeof en, values: Readonly<Record<string, string | number>> = {}): string {
  const translated = (globalThis as Translated).translations?.texts?.['design-system']?.[id];
  const message = (translated ?? en[id]) as Message;
  return message.map((part) => (typeof part === 'string' ? part : values[part[0]])).join('');
}

/** The locale of the numbers of a translated page; undefined where the texts are the originals. */
export function locale(): string | undefined {
  return (globalThis as Translated).translations?.locale;
}
