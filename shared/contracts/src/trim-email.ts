/**
 * An address without what copying adds: white space and invisible characters, and what a mail program or a link writes
 * around it (`Jo <jo@mail.example>`, `mailto:jo@mail.example`).
 */
export function trimEmail(text: string): string {
  const visible = text.replaceAll(/\p{Cf}/gu, '');
  const [, address = visible] = /<([^<>]*)>\s*$/.exec(visible) ?? [];
  return address.trim().replace(/^mailto:/i, '');
}
