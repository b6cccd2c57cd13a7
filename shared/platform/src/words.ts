import { ORIGINAL_LANGUAGE } from '@app/contracts/languages';

/** A catalogue as in its file: message id → ICU message. The build compiles the messages to what `Message` says. */
type Catalogue<Id extends string> = Readonly<Record<Id, string>>;

type Values = Readonly<Record<string, string | number>>;

/** A compiled message: texts, and placeholders between them. In the choices of a plural, `#` is its number. */
type Message = readonly (string | Placeholder)[];
type Placeholder = readonly [name: string, format?: 'number' | 'plural', choices?: Readonly<Record<string, Message>>];

/** Gives the text of a message, its placeholders filled in. */
export type Words<Id extends string> = (id: Id, values?: Readonly<Record<string, string | number>>) => string;

/**
 * Makes the function that looks up the texts of one catalogue. Where the page's language has a translation of a text,
 * that is taken, and otherwise the original: so a translation may lag behind.
 */
export function defineWords<Id extends string>({ en }: { en: Catalogue<Id> }): Words<Id> {
  const originals = en as unknown as Readonly<Record<string, Message>> & { '': string };

  return (id, values = {}) => {
    const translated = globalThis.translations?.texts?.[originals['']]?.[id] as Message | undefined;
    return translated
      ? formatMessage(translated, values, locale())
      : formatMessage(originals[id] ?? [], values, ORIGINAL_LANGUAGE);
  };
}

/** The locale of the dates and numbers of the page. */
export function locale(): string {
  return globalThis.translations?.locale ?? 'en-GB';
}

/** A number of a plural takes its own choice, such as `=0`, or else that of its plural form. */
function formatMessage(message: Message, values: Values, language: string, number?: number): string {
  return message
    .map((part) => {
      if (typeof part === 'string') return part === '#' && number !== undefined ? writeNumber(number, language) : part;

      const [name, format, choices] = part;
      const value = values[name] ?? '';
      if (format === undefined) return value;
      if (!choices) return writeNumber(value, language);
      const chosen = choices[value] ?? choices[pluralForm(Number(value), language)] ?? [];
      return formatMessage(chosen, values, language, Number(value));
    })
    .join('');
}

/** That of an English number needs no `Intl`, as below. */
function pluralForm(number: number, language: string): string {
  if (language === ORIGINAL_LANGUAGE) return number === 1 ? 'one' : 'other';
  return new Intl.PluralRules(language).select(number);
}

/** Whole English numbers are written without `Intl`, whose first number takes a slow phone a tenth of a second. */
function writeNumber(value: string | number, language: string): string {
  if (language === ORIGINAL_LANGUAGE && Number.isInteger(value))
    return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return value.toLocaleString(language);
}
