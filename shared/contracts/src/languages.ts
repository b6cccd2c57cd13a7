/** The language in which every text is written first. A text that a translation lacks is shown in it. */
export const ORIGINAL_LANGUAGE = 'en';

/** The languages of the site, each by its own name. All but the original have a folder in `translations`. */
export const LANGUAGES: Readonly<Record<string, string>> = { en: 'English', vi: 'Tiếng Việt' };

/** The cookie, and the part of an address, that name the language that a visitor has chosen. */
export const LANGUAGE_NAME = 'lang';

/** The texts of one unit in one language: by catalogue, and in it by id, each as the build has compiled it. */
export type Translations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

declare global {
  /**
   * What the scripts of translations have said. The shell runs them before what they belong to, and the renderer before
   * it renders; a page in the original language has none.
   */
  var translations: { locale: string; texts?: Translations } | undefined;
}
