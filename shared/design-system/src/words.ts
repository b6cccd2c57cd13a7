import en from './messages/en.json';
import type { Translated } from './locale.ts';

/** A compiled message: texts, and the names of placeholders between them. */
type Message = readonly (string | readonly [name: string])[];

/**
 * The text of a message of the design system, with its placeholders filled in: translated, or else the original. It
 * supports no plurals, so that units need no message formatter for it.
 */
export function t(id: keyof typeof en, values: Readonly<Record<string, string | number>> = {}): string {
  const translated = (globalThis as Translated).translations?.texts?.['design-system']?.[id];
  const message = (translated ?? en[id]) as Message;
  return message.map((part) => (typeof part === 'string' ? part : values[part[0]])).join('');
}
