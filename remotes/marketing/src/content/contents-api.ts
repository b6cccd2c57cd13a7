/**
 * The text in an answer of a contents API, `{content: base64}`.
 * @throws when it is not one
 */
export function textOfContents(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('content' in body) || typeof body.content !== 'string') {
    throw new Error('No contents');
  }

  // Such APIs break the lines of base64; atob passes over white space.
  return new TextDecoder().decode(Uint8Array.from(atob(body.content), (character) => character.charCodeAt(0)));
}
