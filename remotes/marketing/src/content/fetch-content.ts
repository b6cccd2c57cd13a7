import { fetchContent, siteSettings } from '@app/platform';
import { textOfContents } from './contents-api.ts';

/**
 * Fetches a content file and bypasses all caches. When that fails, it tries the repository's contents API.
 * @throws Error when both fail
 */
export async function fetchFreshContent(file: string, signal: AbortSignal): Promise<string> {
  try {
    return await fetchContent(`${file}?t=${Date.now()}`, signal);
  } catch {
    const response = await fetch(`${siteSettings().contentApiUrl}/${file}`, { signal });
    if (!response.ok) throw new Error(`${file}: the contents API answered ${response.status}`);

    return textOfContents(await response.json());
  }
}
