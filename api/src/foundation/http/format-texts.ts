import { IntlMessageFormat } from 'intl-messageformat';

/** Formats ICU messages: one, or all in an object or a list. A missing value is an error. */
export function formatTexts<Texts>(
  texts: Texts,
  values: Readonly<Record<string, string | number>>,
  locale: string,
): Texts {
  const format = (text: unknown): unknown => {
    if (typeof text === 'string')
      return new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }).format(values);
    if (Array.isArray(text)) return text.map(format);
    return Object.fromEntries(Object.entries(text as object).map(([id, one]) => [id, format(one)]));
  };
  return format(texts) as Texts;
}
