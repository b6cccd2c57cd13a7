/**
 * Repeats over the text. Not a secret: it travels to every visitor with this file, so whoever wants to read an
 * encrypted script can. It only keeps one from being read at a glance.
 */
const KEY = new TextEncoder().encode('amber-comet-lantern-quartz');

/** Half of a sign that takes two: such a text has no bytes in UTF-8, and an encoder would silently put another sign in. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** As many arguments as any browser takes in one call. */
const CHUNK = 0x2000;

/**
 * XORs the UTF-8 bytes of a text with the repeating key, and writes them as base64.
 * @throws when the text is not Unicode
 */
export function encrypt(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new Error('The text holds half a sign.');

  const bytes = new TextEncoder().encode(text);
  return toBase64(bytes.map((byte, index) => byte ^ (KEY[index % KEY.length] ?? 0)));
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK));

  return btoa(binary);
}
