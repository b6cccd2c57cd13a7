/** Invisible characters. Two joiners are letters of domains. */
const INVISIBLE_CHARACTERS = /[^\P{Cf}\u200c\u200d]/gu;

/** What texts, chats and lists put before an address, and after it. */
const BEFORE = /[\s"'`“”„‘’«»<(*]/;
const AFTER = /[\s"'`“”„‘’«»>)*,;.。．｡]/;

/** What stands in pairs around an address, within it. */
const NAME_DELIMITERS = /["'`“”„‘’«»()*]/;

/**
 * An address without what copying adds: white space and invisible characters, and what a mail program, a link or a text
 * writes around it (`Jo <jo@mail.example>`, `mailto:jo@mail.example`). Of several addresses none is chosen.
 */
export function trimEmail(text: string): string {
  const visible = text.replaceAll(INVISIBLE_CHARACTERS, '');
  const [, address = visible] = /^[^<>@]*<([^<>]*)>\s*$/.exec(visible) ?? [];
  const bare = cutAround(address.replace(/^\s*mailto:([^?]*).*$/i, '$1'));
  // One of a pair is left: it belongs to the name.
  return NAME_DELIMITERS.test(bare) ? address.trim() : bare;
}

/** Letter by letter, because a regular expression would look for the end from every letter on. */
function cutAround(text: string): string {
  const letters = [...text];
  const start = letters.findIndex((letter) => !BEFORE.test(letter));
  return start === -1 ? '' : letters.slice(start, letters.findLastIndex((letter) => !AFTER.test(letter)) + 1).join('');
}
