import { setupI18n, type Messages } from '@lingui/core';

/** A catalogue as in its file: message id → ICU message. The build compiles the messages. */
type Catalogue<Id extends string> = Readonly<Record<Id, string>>;

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
  const i18n = setupI18n({ locale, messages: { [locale]: catalogues[locale] as Messages } });

  return (id, values) => i18n._(id, values);
}
