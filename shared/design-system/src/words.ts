import en from './messages/en.json';

/** A message as the build compiles it: words, and between them the names of what is filled in. */
type Message = readonly (string | readonly [name: string])[];

/**
 * The words of the parts themselves. They know no plurals, so that no reader of them has to travel with every unit;
 * English is the one catalogue yet, and another language would be chosen here.
 */
export function t(id: keyof typeof en, values: Readonly<Record<string, string | number>> = {}): string {
  const message = en[id] as unknown as Message;
  return message.map((part) => (typeof part === 'string' ? part : values[part[0]])).join('');
}
