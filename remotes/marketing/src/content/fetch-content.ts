import { fetchContent, fetchInTime, siteSettings } from '@app/platform';

/**
 * Fetches a content file and bypasses all caches. When that fails, it tries the repository's contents API.
 * @throws Error when both fail
 */
export async function fetchFreshContent(file: string, signal: AbortSignal): Promise<string> {
  try {
    return await fetchContent(`${file}?t=${Date.now()}`, signal);
  } catch {
    return fetchInTime(`${siteSettings().contentApiUrl}/${file}`, { signal }, async (response) => {
      if (!response.ok) throw new Error(`${file}: the contents API answered ${response.status}`);

      return textOfContents(await response.json());
    });
  }
}

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
