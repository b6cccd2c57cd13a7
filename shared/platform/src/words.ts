import { setupI18n, type Messages } from '@lingui/core';

/** A catalogue as its file has it: message id to ICU message. The build compiles the messages. */
type Catalogue<Id extends string> = Readonly<Record<Id, string>>;

/** Gives the text of a message, its placeholders filled in. */
export type Words<Id extends string> = (id: Id, values?: Readonly<Record<string, string | number>>) => string;

/**
 * The texts of one unit or of one part of it, in the language of the document.
 * English is whole; another language is another catalogue here, and no component changes.
 */
export function defineWords<Id extends string>(
  catalogues: { en: Catalogue<Id> } & Record<string, Catalogue<Id>>,
): Words<Id> {
  const wanted = typeof document === 'undefined' ? 'en' : document.documentElement.lang;
  const locale = wanted in catalogues ? wanted : 'en';
  const i18n = setupI18n({ locale, messages: { [locale]: catalogues[locale] as Messages } });

  return (id, values) => i18n._(id, values);
}
