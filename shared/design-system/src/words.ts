import en from './messages/en.json';

/** A compiled message: texts, and the names of placeholders between them. */
type Message = readonly (string | readonly [name: string])[];

/**
 * The text of a message of the design system, with its placeholders filled in. It supports no plurals, so that units
 * need no message formatter for it. English is the only catalogue so far; another language would be chosen here.
 */
export function t(id: keyof typeof en, values: Readonly<Record<string, string | number>> = {}): string {
  const message = en[id] as unknown as Message;
  return message.map((part) => (typeof part === 'string' ? part : values[part[0]])).join('');
}
