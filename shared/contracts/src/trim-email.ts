/** Invisible characters. Two joiners are letters of domains. */
const INVISIBLE_CHARACTERS = /[^\P{Cf}\u200c\u200d]/gu;

/** What texts, chats and lists put around an address. */
const CONTEXT_LINES = /^[\s"'`“”„‘’«»<(*]+|[\s"'`“”„‘’«»>)*,;.。．｡]+$/g;

/** What stands in pairs around an address, within it. */
const NAME_DELIMITERS = /["'`“”„‘’«»()*]/;

/**
 * An address without what copying adds: white space and invisible characters, and what a mail program, a link or a text
 * writes around it (`Jo <jo@mail.example>`, `mailto:jo@mail.example`). Of several addresses none is chosen.
 */
export function trimEmail(text: string): string {
  const visible = text.replaceAll(INVISIBLE_CHARACTERS, '');
  const [, address = visible] = /^[^<>@]*<([^<>]*)>\s*$/.exec(visible) ?? [];
  const bare = address.replace(/^\s*mailto:([^?]*).*$/i, '$1').replaceAll(CONTEXT_LINES, '');
  // One of a pair is left: it belongs to the name.
  return NAME_DELIMITERS.test(bare) ? address.trim() : bare;
}
