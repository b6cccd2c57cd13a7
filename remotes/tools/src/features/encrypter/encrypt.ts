/** Every visitor receives it: it only keeps people from reading a script at a glance. */
const KEY = new TextEncoder().encode('amber-comet-lantern-quartz');

/** Half of a surrogate pair. UTF-8 has no bytes for it, and TextEncoder would silently replace it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A number of arguments that every browser accepts in one call. */
const CHUNK = 0x2000;

/** XORs the UTF-8 bytes with the key, into base64. @throws Error when the text has half of a surrogate pair */
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
