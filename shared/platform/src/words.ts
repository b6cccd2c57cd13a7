/** A catalogue as in its file: message id → ICU message. The build compiles the messages to what `Message` says. */
type Catalogue<Id extends string> = Readonly<Record<Id, string>>;

type Values = Readonly<Record<string, string | number>>;

/** A compiled message: texts, and placeholders between them. In the choices of a plural, `#` is its number. */
type Message = readonly (string | Placeholder)[];
type Placeholder = readonly [name: string, format?: 'number' | 'plural', choices?: Readonly<Record<string, Message>>];

/** Gives the text of a message, its placeholders filled in. */
export type Words<Id extends string> = (id: Id, values?: Readonly<Record<string, string | number>>) => string;

/**
 * Makes the function that looks up the texts of one unit, in the language of the document.
 * A new language is one more catalogue; no component changes.
 */
export function defineWords<Id extends string>(
  catalogues: { en: Catalogue<Id> } & Record<string, Catalogue<Id>>,
): Words<Id> {
  const wanted = typeof document === 'undefined' ? 'en' : document.documentElement.lang;
  const locale = wanted in catalogues ? wanted : 'en';
  const messages = catalogues[locale] as unknown as Readonly<Record<Id, Message>>;

  return (id, values = {}) => write(messages[id], values, locale);
}

/**
 * Writes a message out. A number of a plural takes its own choice, such as `=0`, or else that of its plural form.
 * @param number what `#` stands for; undefined outside of plurals
 */
function write(message: Message, values: Values, locale: string, number?: number): string {
  return message
    .map((part) => {
      if (typeof part === 'string') return part === '#' && number !== undefined ? writeNumber(number, locale) : part;

      const [name, format, choices] = part;
      const value = values[name] ?? '';
      if (format === undefined) return value;
      if (!choices) return writeNumber(value, locale);
      const form = new Intl.PluralRules(locale).select(Number(value));
      return write(choices[value] ?? choices[form] ?? [], values, locale, Number(value));
    })
    .join('');
}

/** Whole English numbers are written without `Intl`, whose first number takes a slow phone a tenth of a second. */
function writeNumber(value: string | number, locale: string): string {
  if (locale === 'en' && Number.isInteger(value)) return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return value.toLocaleString(locale);
}
