/** Exactly one @, with a name before it and a host with a dot after it. */
const EMAIL = /^[^\s\p{Cc}@<>,;"]+@[^\s\p{Cc}@<>,;"]+\.[^\s\p{Cc}@<>,;"]+$/u;
const LONGEST_EMAIL = 254;

/** Whether a text looks like an e-mail address. The server checks it again. */
export function isEmail(text: string): boolean {
  return text.length <= LONGEST_EMAIL && EMAIL.test(text);
}
