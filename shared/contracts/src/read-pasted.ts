/** Leaves out what NFKC would take apart: ellipses, and an accent. */
const NORMALISED_PATTERN = /[^…‥︙︰´]+/g;

/** Invisible characters: soft hyphens, joiners, marks of direction, byte order marks. No text of ours needs them. */
const INVISIBLE_CHARACTERS = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** What a chat, a mail or a sentence puts around a text. No token of ours has any of it. */
const CONTEXT_LINES = /[\s\p{Quotation_Mark}\p{Ps}\p{Pe}`´ʼ′‵*<>|~]/u;

/**
 * Reads a token as it was pasted: a code, a device id, a key or the token of a link. It takes away what chats, mails and
 * keyboards add, and changes no character that a token of ours can have, so different tokens stay different. White
 * space inside stays, and so does an ellipsis: a device id that was shortened, or copied with its label, is not one.
 */
export function readPasted(text: string): string {
  const letters = [
    ...text
      .replace(NORMALISED_PATTERN, (part) => part.normalize('NFKC'))
      .replace(INVISIBLE_CHARACTERS, '')
      .replace(/\p{Dash}/gu, '-'),
  ];
  const isInside = (letter: string) => !CONTEXT_LINES.test(letter);
  return letters.slice(letters.findIndex(isInside), letters.findLastIndex(isInside) + 1).join('');
}

/** Reads a code or a key as it was pasted. It may have been wrapped, so white space inside goes as well. */
export function readWrapped(text: string): string {
  return readPasted(text).replaceAll(/\s/g, '');
}
