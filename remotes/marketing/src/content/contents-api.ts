/**
 * Decodes the answer of a repository's contents API, `{content: base64}`.
 * @throws Error when the answer has another form
 */
export function textOfContents(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('content' in body) || typeof body.content !== 'string') {
    throw new Error('No contents');
  }

  // Such APIs break base64 into lines. atob ignores white space.
  return new TextDecoder().decode(Uint8Array.from(atob(body.content), (character) => character.charCodeAt(0)));
}
